import { afterEach, describe, expect, it } from 'vitest';
import { refuseCrossSite } from '../../../src/areas/auth/csrf.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { openCookie } from '../../support/sign-in.ts';

interface Scene {
  base?: string;
  host: string;
  origin: string;
  protocol?: 'http' | 'https';
}

/** Whether a page of `origin` may send to `host`. `base` is the configured base URL. */
function passes({ base, host, origin, protocol = 'http' }: Scene): boolean {
  const own = { baseOrigin: base ?? 'http://127.0.0.1:3000', isBaseKnown: base !== undefined };
  try {
    refuseCrossSite({ method: 'POST', headers: { host, origin }, protocol }, own);
    return true;
  } catch {
    return false;
  }
}

describe('case 48 › the scheme of the page must be ours', () => {
  const https = 'https://svc.example';
  it.each<[name: string, Scene]>([
    ['http on our host', { base: https, host: 'svc.example', origin: 'http://svc.example' }],
    [
      'http on our host, at the TLS port',
      { base: https, host: 'svc.example:443', origin: 'http://svc.example:443' },
    ],
    [
      'http on another of our hosts',
      { base: https, host: 'www.svc.example', origin: 'http://www.svc.example' },
    ],
    [
      'http on a network address',
      { base: https, host: '192.168.1.20:3000', origin: 'http://192.168.1.20:3000' },
    ],
    [
      'http on a host whose name begins like loopback',
      { base: https, host: 'localhost.evil.example', origin: 'http://localhost.evil.example' },
    ],
    [
      'http on another loopback port',
      { base: https, host: 'localhost:3000', origin: 'http://localhost:8080' },
    ],
    [
      'http on our host through loopback',
      { base: https, host: 'localhost:3000', origin: 'http://svc.example' },
    ],
    [
      'http while a trusted proxy says https',
      { host: 'svc.example', origin: 'http://svc.example', protocol: 'https' },
    ],
    [
      'the guessed address while a trusted proxy says https',
      { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000', protocol: 'https' },
    ],
    [
      'http as configured while a trusted proxy says https',
      {
        base: 'http://svc.example',
        host: 'svc.example',
        origin: 'http://svc.example',
        protocol: 'https',
      },
    ],
    [
      'https where http is configured',
      { base: 'http://svc.example', host: 'svc.example', origin: 'https://svc.example' },
    ],
  ])('%s is refused', (_name, scene) => {
    expect(passes(scene)).toBe(false);
  });

  it.each<[name: string, Scene]>([
    ['https as configured', { base: https, host: 'svc.example', origin: https }],
    [
      'https as configured, behind a proxy with a host of its own',
      { base: https, host: 'backend:3000', origin: https },
    ],
    [
      'https as configured, and as a trusted proxy says',
      { base: https, host: 'svc.example', origin: https, protocol: 'https' },
    ],
    [
      'https on another of our hosts',
      { base: https, host: 'www.svc.example', origin: 'https://www.svc.example' },
    ],
    [
      'http on loopback, whatever is configured',
      { base: https, host: 'localhost:3000', origin: 'http://localhost:3000' },
    ],
    [
      'http on loopback by address',
      { base: https, host: '[::1]:3000', origin: 'http://[::1]:3000' },
    ],
    [
      'http as configured',
      { base: 'http://svc.example', host: 'svc.example', origin: 'http://svc.example' },
    ],
    [
      'http by IP, http configured',
      { base: 'http://svc.example', host: '192.168.1.20:3000', origin: 'http://192.168.1.20:3000' },
    ],
    [
      'http by IP, nothing configured',
      { host: '192.168.1.20:3000', origin: 'http://192.168.1.20:3000' },
    ],
    [
      'http on localhost, nothing configured',
      { host: 'localhost:3000', origin: 'http://localhost:3000' },
    ],
    [
      'https before an untrusted proxy, nothing configured',
      { host: 'svc.example', origin: 'https://svc.example' },
    ],
    [
      'https before a trusted proxy, nothing configured',
      { host: 'svc.example', origin: 'https://svc.example', protocol: 'https' },
    ],
  ])('%s passes', (_name, scene) => {
    expect(passes(scene)).toBe(true);
  });
});

describe('case 48 › behind a proxy that ends TLS, no base URL configured', () => {
  let app: FreshApp | undefined;
  afterEach(async () => app?.close());

  it.each([
    ['believed', { TRUST_PROXY: '127.0.0.1' }, 403],
    ['not believed', {}, 200],
  ])(
    'its X-Forwarded-Proto is %s',
    async (_name, env, status) => {
      app = await freshApp({ env });
      await app.services.queues.start();
      const mine = await openCookie(app, 'case48.proxy@example.com');
      const end = (origin: string) =>
        app?.http.inject({
          method: 'DELETE',
          url: '/api/auth/sessions?keep_current=true',
          headers: { ...mine.headers, host: 'svc.example', 'x-forwarded-proto': 'https', origin },
        });
      const responses = [
        await end('http://svc.example'),
        await end('https://svc.example'),
        await end('https://evil.example'),
      ];
      expect(responses.map((response) => response?.statusCode)).toEqual([status, 200, 403]);
      const page = await app.http.inject({
        method: 'POST',
        url: '/login',
        payload: 'identifier=nobody',
        headers: {
          host: 'svc.example',
          origin: 'http://svc.example',
          'x-forwarded-proto': 'https',
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      expect(page.statusCode).toBe(status === 403 ? 403 : 422);
    },
    30_000,
  );
});
