import { describe, expect, it } from 'vitest';
import {
  type Admission,
  createAdmission,
} from '../../../../src/areas/analytics/ingest/admission/admission.ts';
import { createClientCache } from '../../../../src/areas/analytics/ingest/admission/clients.ts';
import { createEventIds } from '../../../../src/areas/analytics/ingest/admission/event-ids.ts';
import type { RequestContext } from '../../../../src/areas/analytics/ingest/request-context.ts';
import { EventInput } from '../../../../src/areas/analytics/ingest/schemas.ts';
import { compileRules } from '../../../../src/areas/analytics/sites/rules.ts';
import { hourMs } from '../../../../src/lib/durations.ts';
import type { SiteSettings } from '../../../../src/areas/analytics/sites/settings.ts';
import type { Site } from '../../../../src/areas/analytics/sites/store.ts';
import { defaultSettings } from '../site-data.ts';

const now = Date.parse('2026-03-29T12:00:00Z');
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';

const site = (given: Partial<SiteSettings> = {}): Site => {
  const settings = { ...defaultSettings, ...given };
  return {
    id: 3,
    key: 'shop',
    createdAt: new Date(0),
    closed: false,
    settings,
    rules: compileRules(false, settings),
  };
};

function admission(): Admission {
  const clients = createClientCache({
    country: (ip) => (ip.startsWith('2.') ? 'FR' : 'DE'),
    visitor: (siteId, ip, userAgent, at) => ({
      day: Math.floor(at / 86_400_000),
      today: `today ${siteId} ${ip} ${userAgent}`,
      yesterday: `yesterday ${siteId} ${ip}`,
    }),
  });
  return createAdmission({
    clients,
    newId: createEventIds(),
    identified: (siteId, userId) => `person ${siteId} ${userId}`,
  });
}

const trusted = { isTrusted: true };
const gpc = { optOut: { gpc: true, dnt: false } };
const dnt = { optOut: { gpc: false, dnt: true } };

const request = (given: Partial<RequestContext> = {}): RequestContext => ({
  receivedAt: now,
  ip: '1.2.3.4',
  userAgent: browser,
  acceptLanguage: undefined,
  optOut: { gpc: false, dnt: false },
  isTrusted: false,
  clockSkewMs: 0,
  ...given,
});

const input = (given: object = {}) =>
  EventInput.parse({
    event: 'pageview',
    url: 'https://shop.example/a?x=1',
    site_id: 'shop',
    ...given,
  });

function admit(given: object = {}, context: Partial<RequestContext> = {}, at: Site = site()) {
  const answer = admission().admit(input(given), at, request(context));
  if ('code' in answer) throw new Error(`refused: ${answer.code}`);
  return answer;
}

const refusal = (given: object, context: Partial<RequestContext> = {}) =>
  admission().admit(input(given), site(), request(context));

describe('the time of an event', () => {
  const skewed = { clockSkewMs: 5 * hourMs };

  it.each([
    ['that sends none is the time of receipt', undefined, {}, now],
    ['is the one that the client sends', now - 1000, {}, now - 1000],
    ['may be in RFC 3339', '2026-03-29T13:59:59.500+02:00', {}, now - 500],
    ['may be 72 hours old without a key', now - 72 * hourMs, {}, now - 72 * hourMs],
    ['may be of any age with a key', 0, trusted, 0],
    ['is clamped to now within a minute', now + 60_000, {}, now],
    ['is corrected for the skew of the clock', now - 5 * hourMs - 1000, skewed, now - 1000],
    ['is 72 hours old after that', now - 77 * hourMs, skewed, now - 72 * hourMs],
    ['is not ahead after that', now + 2 * hourMs, { clockSkewMs: -2 * hourMs - 10 }, now - 10],
    ['is of now despite a skew, if none is sent', undefined, skewed, now],
  ])('%s, which is not reported', (_, timestamp, context, t) => {
    expect(admit({ timestamp }, context)).toMatchObject({ event: { t }, dropped: [] });
  });

  it('is clamped to now beyond a minute, which is reported', () => {
    expect(admit({ timestamp: now + 60_001 })).toMatchObject({
      event: { t: now },
      dropped: [{ reason: 'timestamp_clamped', field: 'timestamp' }],
    });
  });

  it.each([
    ['over 72 hours old without a key', now - 72 * hourMs - 1, {}],
    ['before 1970, even with one', 0, { ...trusted, clockSkewMs: -1 }],
  ])('is refused when it is %s', (_, timestamp, context) => {
    expect(refusal({ timestamp }, context)).toMatchObject({
      code: 'timestamp_too_old',
      field: 'timestamp',
    });
  });
});

it("the id of an event is the client's in lower case and marked so, or a generated one", () => {
  const id = 'A3BB189E-8BF9-4888-9912-ACE4E6543002';
  expect(admit({ id }).event).toMatchObject({ i: id.toLowerCase(), k: 1 });
  const { event } = admit();
  expect(event.i).toMatch(/^[0-9a-f-]{36}$/);
  expect(event).not.toHaveProperty('k');
});

describe('props', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

  it('are flat values as text, without nulls', () => {
    const { event, dropped } = admit({
      props: { text: 'ü🎉"', number: 1.5, yes: true, none: null, '': 'empty name' },
    });
    expect(event.pr).toEqual({ text: 'ü🎉"', number: '1.5', yes: 'true', '': 'empty name' });
    expect(dropped).toEqual([]);
  });

  it('that are nested, too many or too long are dropped, each with its reason', () => {
    const { event, dropped } = admit({
      props: {
        list: [1],
        object: { a: 1 },
        ['k'.repeat(301)]: 'x',
        long: 'x'.repeat(2001),
        fits: 'x'.repeat(2000),
        ['n'.repeat(300)]: 'x',
      },
    });
    expect(Object.keys(event.pr ?? {})).toEqual(['fits', 'n'.repeat(300)]);
    expect(dropped).toEqual([
      { reason: 'prop_not_flat', field: 'props.list' },
      { reason: 'prop_not_flat', field: 'props.object' },
      { reason: 'prop_too_long', field: `props.${'k'.repeat(60)}` },
      { reason: 'prop_too_long', field: 'props.long' },
    ]);
    expect(admit({ props: many(30) }).dropped).toEqual([]);
    const over = admit({ props: many(32) });
    expect(Object.keys(over.event.pr ?? {})).toHaveLength(30);
    expect(over.dropped).toEqual([
      { reason: 'props_over_limit', field: 'props.k30' },
      { reason: 'props_over_limit', field: 'props.k31' },
    ]);
  });

  it('cannot pollute a prototype', () => {
    const hostile = JSON.parse('{"__proto__": "x", "constructor": "y"}') as object;
    const { event } = admit({ props: hostile });
    expect(Object.getPrototypeOf(event.pr)).toBe(Object.prototype);
    expect(event.pr).toMatchObject({ constructor: 'y' });
  });

  it("of one event never appear in another's dropped fields", () => {
    const shared = admission();
    shared.admit(input({ props: { list: [] } }), site(), request());
    expect(shared.admit(input(), site(), request())).toMatchObject({ dropped: [] });
  });
});

describe('fields that need an API key', () => {
  const claims = { ip: '2.2.2.2', user_agent: 'Other/1.0', country: 'IT', browser: 'Lynx' };

  it('are ignored without one, each reported', () => {
    const { event, dropped } = admit(claims);
    expect(event).toMatchObject({ c: 'DE', v: `today 3 1.2.3.4 ${browser}` });
    expect(event).not.toHaveProperty('a');
    expect(event).not.toHaveProperty('ag');
    expect(dropped).toEqual(
      ['ip', 'user_agent', 'country', 'browser'].map((field) => ({
        reason: 'needs_api_key',
        field,
      })),
    );
  });

  it.each<[object, object]>([
    [
      { ip: '2.2.2.2', user_agent: 'Other/1.0' },
      { c: 'FR', a: 'Other/1.0', v: 'today 3 2.2.2.2 Other/1.0', w: 'yesterday 3 2.2.2.2' },
    ],
    [claims, { c: 'IT', ag: ['Lynx', null, null, null, null] }],
    [{ visitor_id: '00ff00ff00ff00ff' }, { v: '00ff00ff00ff00ff' }],
  ])('are trusted with one: %j', (given, event) => {
    expect(admit(given, trusted)).toMatchObject({ event, dropped: [] });
  });
});

describe('a visitor', () => {
  it("is identified by address and browser for a day, with yesterday's hash beside it", () => {
    expect(admit().event).toMatchObject({
      v: `today 3 1.2.3.4 ${browser}`,
      w: 'yesterday 3 1.2.3.4',
    });
  });

  it('that the site identifies is the same every day', () => {
    const { event } = admit({ user_id: 'u1', anonymous_id: 'a1' });
    expect(event).toMatchObject({ v: 'person 3 u1', u: 'u1' });
    expect(event).not.toHaveProperty('w');
    expect(admit({ anonymous_id: 'a1' }).event.v).toBe('person 3 a1');
    expect(admit({ anonymous_id: 'a1' }).event).not.toHaveProperty('u');
  });

  it.each([
    ['Sec-GPC', gpc, {}, false],
    ['Sec-GPC where the site does not honour it', gpc, { honour_gpc: false }, true],
    ['DNT', dnt, {}, true],
    ['DNT where the site honours it', dnt, { honour_dnt: true }, false],
  ] as const)(
    'that sends %s is recognised or not by the settings of the site, and counted anyway',
    (_, context, settings, recognised) => {
      const { event } = admit({ title: 'T' }, context, site(settings));
      expect('v' in event).toBe(recognised);
      expect('w' in event).toBe(recognised);
      expect(event).toMatchObject({ p: '/a', ti: 'T', c: 'DE' });
    },
  );

  it('that opts out keeps no user id either, which is reported', () => {
    const { event, dropped } = admit({ user_id: 'u1', anonymous_id: 'a1', session_id: 's1' }, gpc);
    for (const key of ['v', 'w', 'u', 'z']) expect(event).not.toHaveProperty(key);
    expect(dropped).toEqual([{ reason: 'opted_out', field: 'user_id' }]);
  });
});

describe('the rest of an event', () => {
  it('is the page, split from host and campaign, and the fields sent along', () => {
    const url = 'https://shop.example/a?x=1&utm_source=news';
    const referrer = 'https://x.example/';
    const sent = { event: 'signup', url, referrer, title: '', tag: 'A', session_id: 's1' };
    const { event } = admit(sent);
    const page = { h: 'shop.example', p: '/a', m: { utmSource: 'news' }, r: referrer };
    expect(event).toMatchObject({ ...page, n: 'signup', tg: 'A', z: 's1' });
    expect(event).not.toHaveProperty('ti');
    expect(admit().event).not.toHaveProperty('n');
  });

  it.each([
    ['ftp://x.example/', 'url_scheme'],
    ['http://', 'url_invalid'],
  ])('requires a page: %s is refused', (url, code) => {
    expect(refusal({ url })).toMatchObject({ code, field: 'url' });
  });

  it.each([
    [{ amount: 12.5, currency: 'EUR' }, ['12.5000', 'EUR']],
    [{ amount: '0.0001', currency: 'USD' }, ['0.0001', 'USD']],
    [{ amount: -3, currency: 'EUR' }, ['-3.0000', 'EUR']],
    [{ amount: 0.1 + 0.2, currency: 'EUR' }, ['0.3000', 'EUR']],
    [{ amount: '99999999999999.9999', currency: 'JPY' }, ['99999999999999.9999', 'JPY']],
  ])('stores revenue as exact decimal text: %j', (revenue, stored) => {
    expect(admit({ revenue }).event.re).toEqual(stored);
  });

  it.each([
    { amount: '1.00001', currency: 'EUR' },
    { amount: '1e3', currency: 'EUR' },
    { amount: 1, currency: 'eur' },
    { amount: Infinity, currency: 'EUR' },
    { amount: '123456789012345', currency: 'EUR' },
  ])('refuses revenue that would be rounded or has no valid currency: %j', (revenue) => {
    const event = { event: 'x', url: '/', site_id: 's', revenue };
    expect(EventInput.safeParse(event).success).toBe(false);
  });

  it('has the non-interactive flag, scroll depth, engagement time and web vitals', () => {
    const measured = { scroll_depth: 49.6, engagement_ms: 1234.4, lcp: 1200.5, cls: 0 };
    expect(admit({ interactive: false, ...measured }).event).toMatchObject({
      x: 0,
      sd: 50,
      en: 1234,
      wv: [1200.5, null, null, null, 0],
    });
    expect(admit({ interactive: true }).event).not.toHaveProperty('x');
    expect(admit().event).not.toHaveProperty('wv');
  });

  it('never ends a bounce when it only measures a page', () => {
    for (const name of ['engagement', 'web_vitals'])
      expect(admit({ event: name, interactive: true }).event.x).toBe(0);
  });

  it('defaults to the language of the browser', () => {
    expect(admit({}, { acceptLanguage: 'de-AT,de;q=0.9' }).event.l).toBe('de-AT,de;q=0.9');
    expect(admit({ language: 'fr' }, { acceptLanguage: 'de' }).event.l).toBe('fr');
  });
});

describe('the rules of a site', () => {
  const shields = { ips: ['1.2.3.0/24', '2001:db8::/32'], countries: ['FR'], pages: [] };
  const admitFrom = (ip: string, given: object = {}, keyed = false) =>
    admission().admit(input(given), site({ shields }), request({ ip, isTrusted: keyed }));

  it('refuse shielded networks, even IPv4 addresses written as IPv6', () => {
    for (const ip of ['1.2.3.0', '1.2.3.255', '::ffff:1.2.3.4', '2001:db8::1', '2001:DB8:1::1'])
      expect(admitFrom(ip)).toMatchObject({ code: 'shielded_ip' });
    for (const ip of ['1.2.4.0', '::ffff:1.2.4.4', '2001:db9::1', 'unknown'])
      expect(admitFrom(ip)).toMatchObject({ event: { p: '/a' } });
  });

  it('refuse shielded countries by address; neither rule applies with a key', () => {
    expect(admitFrom('2.0.0.1')).toMatchObject({ code: 'shielded_country' });
    for (const [ip, given] of [
      ['2.0.0.1', {}],
      ['1.2.3.4', {}],
      ['9.9.9.9', { ip: '1.2.3.4' }],
      ['9.9.9.9', { country: 'FR' }],
    ] as const)
      expect(admitFrom(ip, given, true)).toMatchObject({ event: { p: '/a' } });
  });

  it('are undefined for a site without settings', () => {
    expect(site().rules).toBeUndefined();
  });
});

it('a user that the site identifies is marked when no other journal field shows it', () => {
  expect(admit({ anonymous_id: 'a1' }).event).toMatchObject({ v: 'person 3 a1', o: 1 });
  expect(admit({ user_id: 'u1', anonymous_id: 'a1' }).event).not.toHaveProperty('o');
  expect(admit().event).not.toHaveProperty('o');
  expect(admit({ anonymous_id: 'a1' }, gpc).event).not.toHaveProperty('o');
});
