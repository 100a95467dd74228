import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../../../support/browser/browser.ts';
import { useService } from '../../../support/browser/service.ts';
import { codeFor } from '../../../support/sign-in.ts';

/** An empty page at its own origin. */
async function openPage(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>App</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

interface Seen {
  status: number | 'refused by the browser';
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

  /** Opens the page at an origin. Returns functions that send requests from it. */
  async function at(origin: string) {
    const page = await browser.open(origin);
    const send = (method: string, path: string, body?: object, token?: unknown): Promise<Seen> =>
      page.evaluate(
        async ([url, options]) => {
          try {
            const response = await fetch(url, options);
            return {
              status: response.status,
              body: (await response.json()) as Record<string, unknown>,
              challenge: response.headers.get('www-authenticate'),
            };
          } catch {
            return { status: 'refused by the browser', body: {}, challenge: null };
          }
        },
        [
          `${service.origin}/api/auth${path}`,
          {
            method,
            headers: {
              'content-type': 'application/json',
              ...(token === undefined ? {} : { authorization: `Bearer ${String(token)}` }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          },
        ] as const,
      );
    return {
      get: (path: string, token?: unknown) => send('GET', path, undefined, token),
      post: (path: string, body: object, token?: unknown) => send('POST', path, body, token),
    };
  }

  it('signs in, reads the user, refreshes and signs out, each after a preflight', async () => {
    const { get, post } = await at(pages[0]?.origin ?? '');
    const email = 'spa@example.com';
    const sent = await post('/email/initiate', { email });
    const signedIn = await post('/otp/verify', {
      email,
      code: await codeFor(service.app, email),
      verification_id: sent.body.verification_id,
    });
    expect(signedIn).toMatchObject({ status: 200, body: { status: 'authenticated' } });
    const { access_token: token, refresh_token: refreshToken } = signedIn.body;
    expect(await get('/me', token)).toMatchObject({ status: 200, body: { email } });
    const refreshed = await post('/token/refresh', { refresh_token: refreshToken });
    expect(refreshed).toMatchObject({ status: 200 });
    expect(await post('/logout', {}, refreshed.body.access_token)).toMatchObject({
      status: 200,
      body: { session_revoked: true },
    });
    expect(await get('/me', token)).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('invalid_token') as string,
    });
  });

  it('can do nothing when its origin is not listed', async () => {
    const { get, post } = await at(pages[1]?.origin ?? '');
    const before = service.app.services.outbox.list().length;
    const refused = { status: 'refused by the browser' };
    expect(await post('/email/initiate', { email: 'spa.evil@example.com' })).toMatchObject(refused);
    expect(await get('/me', 'svca_x')).toMatchObject(refused);
    expect(service.app.services.outbox.list().length).toBe(before);
  });
});
