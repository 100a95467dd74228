import { describe, expect, it } from 'vitest';
import { asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { dayMs } from '../../src/lib/durations.ts';

const site = `site-${Math.random().toString(36).slice(2)}`;
const app = await sharedApp();
const admin = new TestClient(app).as(asAdmin);
await admin.post('/analytics/sites', { site_id: site });

const soon = new Date(Date.now() + dayMs).toISOString().slice(0, 19);
const later = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 19);
/** How clients write the same instant. */
const forms = (text: string): string[] => [
  `${text.replace('T', 't')}z`,
  `${text.replace('T', ' ')}+0000`,
  `${text.replace('T', ' ')}.000+00`,
];

describe('an instant in another form of RFC 3339 or ISO 8601', () => {
  it.each(forms(soon))('is taken in every body: %s', async (text) => {
    const shown = `${soon}.000Z`;
    const made: [string, object, string][] = [
      [
        '/api/v1/api-keys',
        { name: 'k', scopes: ['analytics:read'], expires_at: text },
        'expires_at',
      ],
      [`/analytics/sites/${site}/shares`, { name: 's', expires_at: text }, 'expires_at'],
      [`/analytics/sites/${site}/annotations`, { at: text, text: 'a' }, 'at'],
      [
        '/api/v1/qr-codes',
        { name: 'q', url: 'https://example.com/', starts_at: text },
        'starts_at',
      ],
    ];
    for (const [path, body, member] of made) {
      const answer = await admin.post(path, body);
      expect(answer, answer.text).toMatchObject({ body: { [member]: shown } });
      expect(answer.status).toBeLessThan(300);
    }
    const maintenance = await admin.post('/api/v1/status/maintenances', {
      name: 'm',
      body: 'x',
      scheduled_for: text,
      scheduled_until: `${later}Z`,
    });
    expect(maintenance, maintenance.text).toMatchObject({ body: { scheduled_for: shown } });
  });

  it('is taken in every query, also with a plus sign that arrives as a space', async () => {
    const text = '2026-05-01T12:00:00+02:00';
    const queries = [
      `/api/v1/audit?since=${text}`,
      `/analytics/sites/${site}/annotations?from=${text}`,
      `/analytics/dashboard?site_id=${site}&period=custom&from=${text}&to=2026-05-02t00:00:00z`,
    ];
    for (const query of queries)
      expect(await admin.get(query), query).toMatchObject({ status: 200 });
    const { body } = await admin.get<{ period: { from: string } }>(queries[2] ?? '');
    expect(body.period.from).toBe('2026-05-01T10:00:00.000Z');
    const { text: rows, status } = await admin.post('/analytics/export/events/', {
      from: '2026-05-01 12:00:00+02',
      to: '2026-05-02t00:00:00z',
    });
    expect({ status, rows }).toEqual({ status: 200, rows: '' });
  });

  it('is taken in GraphQL', async () => {
    const query =
      'query ($since: DateTime) { audit(since: $since, first: 1) { edges { cursor } } }';
    for (const since of ['2026-05-01t10:00:00z', '2026-05-01 10:00:00+0200'])
      expect(
        (await admin.post('/api/graphql', { query, variables: { since } })).body,
      ).not.toHaveProperty('errors');
  });

  it.each(['2026-02-30t10:00:00z', '2026-05-01 10:00:00'])(
    'is refused as before if it is invalid: %s',
    async (text) => {
      const key = { name: 'k', scopes: ['analytics:read'], expires_at: text };
      expect(await admin.post('/api/v1/api-keys', key)).toBeInvalid('body.expires_at');
      expect(await admin.get(`/api/v1/audit?since=${text}`)).toBeInvalid('query.since');
    },
  );
});
