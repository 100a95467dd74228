import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, browser as chrome } from '../../support/app.ts';
import { createDeviceBrowser } from '../../support/devices.ts';
import { graphClient } from '../graphql/graphql-client.ts';
import { TestClient } from '../../support/client.ts';
import { callTool, mcpClient } from './client.ts';

const site = 'hostile.example.com';
const payloads = [
  '\u202edrawkcab',
  '\u001b[31mred',
  '\u009b31mred',
  '</script><script>alert(1)</script>',
  'a\0b',
  'half \ud83d',
  '\udc00 half',
  'line\u2028line',
  'bell\u0007',
  'del\u007f',
  'nel\u0085',
  '\ufffe',
  '\u2066isolate',
  '"}]} \\u0000',
  '=cmd()',
  'ta\tb',
  'cr\r\nlf',
];

/**
 * Events with the text in each field, each from a different visitor: only the first source of a
 * visit counts.
 */
const eventsWith = (text: string): Record<string, unknown>[] => {
  const encoded = encodeURIComponent(text.toWellFormed());
  return [
    { event: text },
    { url: `/${text}` },
    { url: `/p?utm_source=${encoded}&utm_campaign=${encoded}&utm_medium=${encoded}` },
    { url: `/#/${text}` },
    { url: `/${encoded}` },
    { referrer: `https://ref.example/${text}` },
    { referrer: text },
    { title: text },
    { props: { plan: text } },
    { props: { [text]: 'x' } },
    { tag: text },
    { language: text },
    { user_id: text },
    { session_id: text },
    { url: `https://${text}/x` },
  ];
};

const app = await sharedApp();
beforeAll(async () => {
  const visitor = new TestClient(app).as({ 'user-agent': chrome });
  const admin = new TestClient(app).as(asAdmin).at('/api/v1');
  const taken = new Set<string>();
  for (const [at, text] of payloads.entries()) {
    for (const [place, event] of eventsWith(text).entries()) {
      const { status } = await visitor.post('/analytics/track', {
        event: 'pageview',
        url: '/',
        site_id: site,
        anonymous_id: `visitor-${at}-${place}`,
        ...event,
      });
      expect([200, 422]).toContain(status);
      if (status === 200) taken.add(Object.keys(event).join());
    }
    const incident = { name: text, status: 'investigating', body: text, components: [] };
    await admin.post('/status/incidents', incident);
    await admin.post('/api-keys', { name: text, scopes: ['analytics:read'] });
    const userAgent = text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
    const browser = createDeviceBrowser(app, { userAgent });
    await browser.signIn({ email: `hostile-${at}@example.com` });
    await browser.ask({ device_name: text, reason: text, fingerprint: text });
  }
  // Some texts must be accepted in every field, or the test would check nothing.
  expect([...taken].sort().join(' ')).toBe(
    'event language props referrer session_id tag title url user_id',
  );
  await app.applied();
}, 60_000);

/** All strings in a JSON value, including names of members. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/**
 * Strings that are not valid Unicode, or contain control characters other than tabs and line
 * breaks.
 */
const invalidStringsIn = (value: unknown): string[] =>
  textsIn(value)
    .filter((text) => !text.isWellFormed() || /[^\P{Cc}\t\r\n]/u.test(text))
    .map((text) => JSON.stringify(text));

describe('hostile texts of visitors and admins', () => {
  const ofSources = ['sources', 'referrers', 'channels', 'campaigns', 'countries', 'languages'];
  const breakdowns = [...ofSources, 'browsers', 'operating_systems', 'devices'];

  it.each<[string, object]>([
    ['get_status', {}],
    ['list_components', {}],
    ['list_incidents', { limit: 100 }],
    ['list_sites', {}],
    ['query_analytics', { site_id: site, period: 'today', breakdowns, limit: 100 }],
    ['top_pages', { site_id: site, period: 'today', limit: 100 }],
    ['list_device_requests', {}],
    ['get_audit_log', { limit: 100 }],
    ['get_user', { identifier: 'hostile-3@example.com' }],
    ['get_health', {}],
  ])(
    'are returned by the tool %s as valid Unicode without control characters',
    async (name, args) => {
      const {
        content: [{ text } = { text: '' }],
        structuredContent,
        isError,
      } = await callTool(app, name, args, asAdmin);
      expect(isError ?? false).toBe(false);
      expect(invalidStringsIn([text, structuredContent])).toEqual([]);
      expect(JSON.parse(text)).toEqual(structuredContent);
    },
  );

  it.each([
    '{ incidents(first: 100) { nodes { name updates { body } } } apiKeys(first: 100) { nodes ' +
      '{ name } } status { description } components { name } }',
    '{ audit(first: 100) { nodes { action reason details target { targetId } } } sites { ' +
      'siteId } }',
    `{ dashboard(siteId: "${site}", limit: 1000) { pages { value } entryPages { value } ` +
      'exitPages { value } sources { value } campaigns { value } referrers { value } channels { ' +
      'value } languages { value } events { value } } }',
  ])('are returned by GraphQL likewise: %s', async (query) => {
    expect(invalidStringsIn(await graphClient(app, asAdmin).data(query))).toEqual([]);
  });
});

it.each(payloads)(
  '%j as the name of an argument is refused without control characters',
  async (text) => {
    const args = { site_id: site, [`x${text}`]: 1 };
    const { status, body } = await mcpClient(app, asAdmin).tryTool('query_analytics', args);
    expect(status).toBe(200);
    expect(invalidStringsIn(body)).toEqual([]);
    expect(body.result).toMatchObject({ isError: true });
  },
);
