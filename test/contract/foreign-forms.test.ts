import type { RouteOptions } from 'fastify';
import { describe, expect } from 'vitest';
import { freshApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';

const evil = 'https://evil.example';
const fill = (url: string): string =>
  url.replace(/:id\b/g, '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04').replace(/:\w+/g, 'x');

/** Routes that read forms of other sites on purpose, or change nothing. */
const openToAll = [
  // Webmail sends one-click requests (RFC 8058).
  '/status/unsubscribe',
  '/waitlist/leave',
  '/analytics/reports/unsubscribe',
  // The API of the contact form, for pages of other sites; it asks for a proof or has low limits.
  '/api/v1/contact',
  // Signed by the payment provider.
  '/api/auth/webhooks/payments',
  '/auth/webhooks/payments',
  // Without a session cookie there is nothing to end; with one, other sites are refused.
  '/api/auth/logout',
  '/auth/logout',
  // They describe development, and change nothing.
  '/workflows/api/v1/auth/dev-access',
  '/workflows/api/v1/auth/dev-mode',
  '/workflows/api/v1/auth/dev-status',
  '/cmyk/api',
];

/** The forms for everybody that make the service send or store something. */
const doors: [path: string, values: { email: string } & Record<string, string>][] = [
  ['/waitlist', { email: 'door-1@example.com', consent: 'on' }],
  ['/signup', { email: 'door-2@example.com', consent: 'on' }],
  ['/signup/confirm', { email: 'door-3@example.com', token: 'x' }],
  ['/status/subscribe', { email: 'door-4@example.com' }],
  ['/status/confirm', { email: 'door-5@example.com', token: 'x' }],
  ['/contact', { email: 'door-6@example.com', name: 'Ada', message: 'Hello', form: 'x' }],
  ['/api/auth/otp/send?identifier=door-7@example.com', { email: 'door-7@example.com' }],
  ['/auth/otp/send?identifier=door-8@example.com', { email: 'door-8@example.com' }],
];

const app = await sharedApp('named');
const client = new TestClient(app);

const changes = ({ method, url }: RouteOptions): boolean =>
  [method].flat().includes('POST') && !url.endsWith('/');

const sendFrom = (url: string, type: string, headers: Record<string, string>) =>
  client.post(url, 'a=b', { headers: { host: 'svc.example', 'content-type': type, ...headers } });

/** What browsers send with the form of a page elsewhere. */
const foreign: Record<string, string>[] = [
  { origin: evil, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { origin: 'null' },
  { origin: 'https://www.svc.example', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
];

const page = 'application/x-www-form-urlencoded';

describe('a form on a page of another site', () => {
  it('is read by no route for everybody but those that mean to', async () => {
    const routes = app.http.registeredRoutes.filter(changes);
    const reading: string[] = [];
    for (const { url } of routes) {
      const headers = { origin: evil, 'sec-fetch-site': 'cross-site' };
      const { status } = await sendFrom(fill(url), page, headers);
      if (![400, 401, 403, 404, 405, 410, 415].includes(status)) reading.push(url);
    }
    expect(routes.length).toBeGreaterThan(100);
    expect(reading.filter((url) => !openToAll.includes(url))).toEqual([]);
  });

  it.each(doors)('does nothing at %s, and the form on our own page works', async (path, values) => {
    const body = new URLSearchParams(values).toString();
    const to = (headers: Record<string, string>, type = page, host = 'svc.example') =>
      client.post(path, body, { headers: { host, 'content-type': type, ...headers } });
    for (const headers of foreign)
      for (const type of [page, 'text/plain', 'multipart/form-data; boundary=x']) {
        const refused = await to({ accept: 'application/json', ...headers }, type);
        expect(refused.status, JSON.stringify(headers)).toBe(403);
        expect(refused.text).toContain('sent from');
        expect(refused.headers).not.toHaveProperty('set-cookie');
      }
    await client.settled();
    expect(client.outbox(values.email)).toEqual([]);
    const own = { origin: 'https://svc.example', 'sec-fetch-site': 'same-origin' };
    for (const headers of [own, { 'sec-fetch-site': 'same-origin' }, {}])
      expect((await to(headers)).status).not.toBe(403);
    const json = client.post(path, values, { headers: { origin: evil } });
    expect((await json).status).not.toBe(403);
  });
});

describe('a form on a website in WAITLIST_ORIGINS', () => {
  it('joins the waitlist, and reaches no other form', async () => {
    const launch = 'https://launch.example';
    const listing = await freshApp({
      env: { BASE_URL: 'https://svc.example', WAITLIST_ORIGINS: launch },
    });
    try {
      const visitor = new TestClient(listing);
      const headers = { origin: launch, 'sec-fetch-site': 'cross-site' };
      const email = 'ada@example.com';
      const joined = await visitor.form('/waitlist', { email, consent: 'on' }, { headers });
      expect(joined).toMatchObject({ status: 200 });
      expect(joined.headers).not.toHaveProperty('access-control-allow-credentials');
      for (const path of ['/signup', '/status/subscribe', '/contact'])
        expect(await visitor.form(path, { email }, { headers })).toMatchObject({ status: 403 });
      const near = { ...headers, origin: 'https://launch.example.evil.example' };
      const refused = await visitor.form('/waitlist', { email, consent: 'on' }, { headers: near });
      expect(refused).toMatchObject({ status: 403 });
    } finally {
      await listing.close();
    }
  });
});
