import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { requestedContent } from '../../support/abuse.ts';
import { asAdmin, freshApp, type TestApp } from '../../support/app.ts';
import { asBrowser, consoleRoutes, home, look, origin, personOf } from './pages.ts';

let app: TestApp;
let viewer: { headers: Record<string, string> };
let admin: { headers: Record<string, string> };
let withoutRole: { headers: Record<string, string> };

beforeAll(async () => {
  app = await sharedApp('console');
  admin = await personOf(app, 'ada@example.com', ['admin']);
  viewer = await personOf(app, 'vic@example.com', ['viewer']);
  withoutRole = await personOf(app, 'nora@example.com');
});

const ask = (method: string, url: string, headers: Record<string, string>) =>
  app.http.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers: {
      ...headers,
      ...(method === 'POST'
        ? {
            'content-type': 'application/x-www-form-urlencoded',
            origin,
            host: '127.0.0.1:3000',
            'sec-fetch-site': 'same-origin',
          }
        : {}),
    },
    ...(method === 'POST' ? { payload: 'a=b' } : {}),
  });

/** All stored rows, except in tables that also change when people only use the service. */
async function storedContent(): Promise<string> {
  const content = await requestedContent(app);
  return JSON.stringify([...content].filter(([name]) => !['users', 'audit_events'].includes(name)));
}

describe('access to the console', () => {
  it('redirects browsers without a session to the sign-in page, with the way back', async () => {
    for (const { method, url, isForm } of consoleRoutes(app)) {
      const answer = await ask(method, url, asBrowser);
      expect({ method, url, status: answer.statusCode }).toEqual({ method, url, status: 303 });
      expect(answer.headers.location).toBe(
        `/login?next=${encodeURIComponent(isForm ? home : url)}`,
      );
    }
  });

  it('answers programs with a problem document', async () => {
    for (const { method, url } of consoleRoutes(app)) {
      const answer = await ask(method, url, {});
      expect({
        method,
        url,
        status: answer.statusCode,
        'content-type': answer.headers['content-type'],
      }).toEqual({
        method,
        url,
        status: 401,
        'content-type': 'application/problem+json; charset=utf-8',
      });
      const withKey = await ask(method, url, asAdmin);
      expect({ url, status: withKey.statusCode }).toEqual({ url, status: 401 });
    }
    const refused = await ask('GET', home, { cookie: withoutRole.headers.cookie ?? '' });
    expect({
      status: refused.statusCode,
      'content-type': refused.headers['content-type'],
      body: refused.json<unknown>(),
    }).toMatchObject({
      status: 403,
      'content-type': 'application/problem+json; charset=utf-8',
      body: { code: 'request.forbidden', required_role: 'viewer' },
    });
  });

  it('tells a person without a role to ask an admin, and names no admins', async () => {
    const answer = await look(app, home, withoutRole.headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('ask an admin for the role');
    expect(answer.body).not.toContain('ada@example.com');
  });

  it('lets viewers change nothing, and hides the pages of admins from them', async () => {
    const before = await storedContent();
    for (const { method, url, isForm } of consoleRoutes(app)) {
      const answer = await ask(method, url, viewer.headers);
      // Everyone with a role may search, and publish to the test channel.
      if (isForm && !url.endsWith('/realtime/publish') && !url.endsWith('/console/search'))
        expect({ method, url, status: answer.statusCode }).toEqual({ method, url, status: 403 });
    }
    expect(await storedContent()).toBe(before);
    const overview = await look(app, home, viewer.headers);
    expect(overview.statusCode).toBe(200);
    expect(overview.body).toContain('>Viewer<');
    for (const hidden of ['users', 'devices', 'jobs', 'keys', 'audit', 'settings']) {
      expect(overview.body).not.toContain(`href="${home}${hidden}"`);
      expect((await look(app, hidden, viewer.headers)).statusCode).toBe(403);
    }
  });

  it('refuses forms from other sites, and changes nothing', async () => {
    const before = await storedContent();
    for (const { method, url } of consoleRoutes(app).filter(({ isForm }) => isForm)) {
      const answer = await app.http.inject({
        method: 'POST',
        url,
        payload: 'a=b',
        headers: {
          ...admin.headers,
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        },
      });
      expect({ method, url, status: answer.statusCode }).toEqual({ method, url, status: 403 });
    }
    expect(await storedContent()).toBe(before);
  });

  it('answers no page and no empty form with a 5xx', async () => {
    for (const { method, url } of consoleRoutes(app)) {
      const answer = await ask(method, url, admin.headers);
      expect(answer.statusCode, `${method} ${url} ${answer.body.slice(0, 300)}`).toBeLessThan(500);
    }
  });

  it('forbids caching, framing and scripts of other origins', async () => {
    const { headers } = await look(app, home, admin.headers);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self';(?!.*unsafe).*frame-ancestors 'none'$/,
    );
  });
});

describe('a device that is not cleared', () => {
  it('redirects browsers to the page of their device, and sends programs a problem', async () => {
    const strict = await freshApp({ env: { BASE_URL: origin, DEVICE_FIRST: 'nobody' } });
    try {
      const person = await personOf(strict, 'ada@example.com', ['admin']);
      for (const { url } of consoleRoutes(strict).filter(({ isForm }) => !isForm)) {
        const answer = await look(strict, url, person.headers);
        expect({ url, status: answer.statusCode, location: answer.headers.location }).toEqual({
          url,
          status: 303,
          location: `/account/devices?next=${encodeURIComponent(url)}`,
        });
      }
      const shown = await look(
        strict,
        `/account/devices?next=${encodeURIComponent(home)}`,
        person.headers,
      );
      expect(shown.body).toContain('This device is not approved.');
      expect(shown.body).toContain('Request approval');
      const program = await look(strict, home, { cookie: person.headers.cookie ?? '' });
      expect({ status: program.statusCode, body: program.json<unknown>() }).toMatchObject({
        status: 403,
        body: { code: 'blackops.device_not_cleared', requirements: ['clearance'] },
      });
    } finally {
      await strict.close();
    }
  });
});
