import { describe, expect, onTestFinished } from 'vitest';
import { refuseCrossSite } from '../../../../src/areas/identity/sessions/csrf.ts';
import { freshApp, type TestApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { openCookie } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';

interface Scene {
  /** The configured base URL. */
  base?: string;
  host: string;
  /** The origin of the page; by default, of `host`. */
  origin?: string;
  /** Of the request, as a trusted proxy says. */
  protocol?: 'http' | 'https';
}

function passes({ base, host, origin = `http://${host}`, protocol = 'http' }: Scene): boolean {
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
  const http = 'http://svc.example';
  const ip = '192.168.1.20:3000';

  it.each<[name: string, Scene]>([
    ['http on our host', { base: https, host: 'svc.example' }],
    ['http on our host, at the TLS port', { base: https, host: 'svc.example:443' }],
    ['http on another of our hosts', { base: https, host: 'www.svc.example' }],
    ['http on a network address', { base: https, host: ip }],
    ['http on a host that begins like loopback', { base: https, host: 'localhost.evil.example' }],
    [
      'http on another loopback port',
      { base: https, host: 'localhost:3000', origin: 'http://localhost:8080' },
    ],
    ['http on our host through loopback', { base: https, host: 'localhost:3000', origin: http }],
    ['http while a trusted proxy says https', { host: 'svc.example', protocol: 'https' }],
    [
      'the guessed address while a trusted proxy says https',
      { host: '127.0.0.1:3000', protocol: 'https' },
    ],
    [
      'http as configured while a trusted proxy says https',
      { base: http, host: 'svc.example', protocol: 'https' },
    ],
    ['https where http is configured', { base: http, host: 'svc.example', origin: https }],
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
    ['http on loopback, whatever is configured', { base: https, host: 'localhost:3000' }],
    ['http on loopback by address', { base: https, host: '[::1]:3000' }],
    ['http as configured', { base: http, host: 'svc.example' }],
    ['http by IP, http configured', { base: http, host: ip }],
    ['http by IP, nothing configured', { host: ip }],
    ['http on localhost, nothing configured', { host: 'localhost:3000' }],
    ['https before an untrusted proxy, nothing configured', { host: 'svc.example', origin: https }],
    [
      'https before a trusted proxy, nothing configured',
      { host: 'svc.example', origin: https, protocol: 'https' },
    ],
  ])('%s passes', (_name, scene) => {
    expect(passes(scene)).toBe(true);
  });
});

describe('case 48 › behind a proxy that ends TLS, no base URL configured', () => {
  async function startTrusting() {
    const app = await freshApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    onTestFinished(() => app.close());
    return app;
  }

  it.each<[name: string, start: () => Promise<TestApp>, status: number]>([
    ['believed', startTrusting, 403],
    ['not believed', () => sharedApp(), 200],
  ])(
    'its X-Forwarded-Proto is %s',
    async (_name, start, status) => {
      const app = await start();
      const mine = await openCookie(app, 'case48.proxy@example.com');
      const proxy = new TestClient(app).as({ host: 'svc.example', 'x-forwarded-proto': 'https' });
      for (const [origin, expected] of [
        ['http://svc.example', status],
        ['https://svc.example', 200],
        ['https://evil.example', 403],
      ] as const)
        expect(
          await proxy.as(mine.headers).delete('/api/auth/sessions?keep_current=true', undefined, {
            headers: { origin },
          }),
          origin,
        ).toMatchObject({ status: expected });
      // Without the Sec-Fetch-Site of today's browsers.
      const page = await proxy.post('/login', 'identifier=nobody', {
        headers: {
          origin: 'http://svc.example',
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      expect(page.status).toBe(status === 403 ? 403 : 422);
    },
    30_000,
  );
});
