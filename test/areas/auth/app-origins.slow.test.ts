import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { codeFor } from '../../support/sign-in.ts';

/** An empty page at its own origin. */
async function openPage(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>App</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

interface Call {
  method: string;
  path: string;
  token?: string;
  body?: object;
}
interface Seen {
  status: number;
  body: Record<string, unknown>;
  challenge: string | null;
}

describe.skipIf(!hasBrowser)('a single-page app on another origin', () => {
  const env: Record<string, string> = {};
  let pages: { server: Server; origin: string }[] = [];
  beforeAll(async () => {
    pages = [await openPage(), await openPage()];
    env.APP_ORIGINS = pages[0]?.origin ?? '';
  });
  afterAll(() => {
    for (const { server } of pages) server.close();
  });
  const service = useService({ env, runsJobs: true });
  // The browser reports requests that it or the service refuses.
  const browser = useBrowser({ expected: /status of 40[14] |CORS policy|net::ERR_FAILED/ });

  /** Opens the page at an origin, and returns a function that sends requests from it. */
  async function at(origin: string) {
    const page = await browser.open(origin);
    return (call: Call): Promise<Seen | 'refused by the browser'> =>
      page.evaluate(
        async ({ method, path, token, body, url }) => {
          const headers = {
            'content-type': 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          };
          try {
            const response = await fetch(url + path, {
              method,
              headers,
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            return {
              status: response.status,
              body: (await response.json()) as Record<string, unknown>,
              challenge: response.headers.get('www-authenticate'),
            };
          } catch {
            return 'refused by the browser' as const;
          }
        },
        { ...call, url: service.origin },
      );
  }

  it('signs in, reads the user, refreshes and signs out, each after a preflight', async () => {
    const ask = await at(pages[0]?.origin ?? '');
    const email = 'spa@example.com';
    const sent = (await ask({
      method: 'POST',
      path: '/api/auth/email/initiate',
      body: { email },
    })) as Seen;
    const signedIn = (await ask({
      method: 'POST',
      path: '/api/auth/otp/verify',
      body: {
        email,
        code: await codeFor(service.app, email),
        verification_id: sent.body.verification_id,
      },
    })) as Seen;
    expect(signedIn).toMatchObject({ status: 200, body: { status: 'authenticated' } });
    const token = String(signedIn.body.access_token);
    expect(await ask({ method: 'GET', path: '/api/auth/me', token })).toMatchObject({
      status: 200,
      body: { email },
    });
    const refreshed = (await ask({
      method: 'POST',
      path: '/api/auth/token/refresh',
      body: { refresh_token: signedIn.body.refresh_token },
    })) as Seen;
    expect(refreshed).toMatchObject({ status: 200 });
    expect(
      await ask({
        method: 'POST',
        path: '/api/auth/logout',
        token: String(refreshed.body.access_token),
        body: {},
      }),
    ).toMatchObject({ status: 200, body: { session_revoked: true } });
    expect(await ask({ method: 'GET', path: '/auth/me', token })).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('invalid_token') as string,
    });
  });

  it('can do nothing when its origin is not listed', async () => {
    const ask = await at(pages[1]?.origin ?? '');
    const before = service.app.services.outbox.list().length;
    expect(
      await ask({
        method: 'POST',
        path: '/api/auth/email/initiate',
        body: { email: 'spa.evil@example.com' },
      }),
    ).toBe('refused by the browser');
    expect(await ask({ method: 'GET', path: '/api/auth/me', token: 'svca_x' })).toBe(
      'refused by the browser',
    );
    expect(service.app.services.outbox.list().length).toBe(before);
  });
});
