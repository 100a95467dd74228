import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const secret = 'b7d84c0f91ab5d3e6c2f4a80Kq74f1e7c92';
const of = (env: Record<string, string>) => developmentOf(parseConfig(env));

describe('development conveniences, by settings', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing is set', {}],
    ['tests', { NODE_ENV: 'test' }],
    ['all of this machine', { BASE_URL: 'http://localhost:3000', HOST: 'localhost' }],
    ['its other names', { BASE_URL: 'http://[::1]:3000', HOST: '::1' }],
  ])('are on: %s', (_what, env) => {
    expect(of(env)).toMatchObject({
      isOn: true,
      bypass: env.NODE_ENV !== 'test',
      obstacle: undefined,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['production', { NODE_ENV: 'production', AUTH_SECRET: secret }],
    ['a public address', { BASE_URL: 'https://svc.example' }],
    [
      'a public address that begins like this machine',
      { BASE_URL: 'http://localhost.svc.example' },
    ],
    ['a public address, in tests', { NODE_ENV: 'test', BASE_URL: 'https://svc.example' }],
    ['all interfaces', { HOST: '0.0.0.0' }],
    ['all interfaces of IPv6', { HOST: '::' }],
    ['an interface', { HOST: '192.0.2.7' }],
    ['a proxy that is trusted', { TRUST_PROXY: '127.0.0.1' }],
  ])('are off for every request: %s', async (_what, env) => {
    const development = of(env);
    expect(development).toMatchObject({
      isOn: false,
      bypass: false,
      obstacle: expect.any(String) as string,
    });
    expect(await allowed(await open(development.allows), {})).toBe(false);
  });
});

async function open(allows: ReturnType<typeof of>['allows']): Promise<FastifyInstance> {
  return withPublicRoutes(
    createTestHttp(),
    (routes) => void routes.get('/allowed', (request) => ({ allowed: allows(request) })),
  );
}

const allowed = async (app: FastifyInstance, options: InjectOptions): Promise<boolean> =>
  (await app.inject({ url: '/allowed', ...options })).json<{ allowed: boolean }>().allowed;

describe('development conveniences, by request', async () => {
  const app = await open(of({}).allows);

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.8.9.10', '[::1]:3000'])(
    'are available to local requests for the host %s',
    async (host) => {
      for (const remoteAddress of ['127.0.0.1', '127.1.1.1', '::1', '::ffff:127.0.0.1'])
        expect(await allowed(app, { remoteAddress, headers: { host } })).toBe(true);
    },
  );

  it('are available to a browser with all its usual headers', async () => {
    const headers = {
      host: '127.0.0.1:3000',
      connection: 'keep-alive',
      'user-agent': 'Mozilla/5.0',
      accept: 'text/html',
      'accept-language': 'en',
      'accept-encoding': 'gzip',
      cookie: 'a=b',
      dnt: '1',
      'sec-gpc': '1',
      origin: 'http://127.0.0.1:3000',
      referer: 'http://127.0.0.1:3000/login',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-ch-ua': '"Chromium"',
      'x-requested-with': 'fetch',
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      'upgrade-insecure-requests': '1',
      'x-request-id': 'abcdefgh',
      authorization: 'Bearer x',
      dpop: 'x',
      priority: 'u=0',
    };
    expect(await allowed(app, { headers })).toBe(true);
  });

  it.each(['203.0.113.5', '10.0.0.1', '192.168.1.2', '::ffff:10.0.0.1', 'fe80::1'])(
    'are not available to another machine: %s',
    async (remoteAddress) => {
      expect(
        await allowed(app, {
          remoteAddress,
          headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
        }),
      ).toBe(false);
      expect(await allowed(app, { remoteAddress, headers: { host: 'localhost' } })).toBe(false);
    },
  );

  it.each([
    'svc.example',
    'localhost.svc.example:3000',
    '127.0.0.1.nip.io',
    'evil@localhost',
    '192.0.2.7',
  ])('are not available after DNS rebinding to this machine: %s', async (host) => {
    expect(await allowed(app, { headers: { host } })).toBe(false);
  });

  it.each([
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Forwarded',
    'X-Forwarded-Client-Cert',
    'X-Real-IP',
    'Via',
    'CF-Connecting-IP',
    'CF-Ray',
    'CF-Visitor',
    'True-Client-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'Client-IP',
    'Fly-Client-IP',
    'Fly-Request-Id',
    'Fastly-Client-IP',
    'Fastly-FF',
    'CloudFront-Viewer-Address',
    'X-Amz-Cf-Id',
    'X-Amzn-Trace-Id',
    'X-Original-Forwarded-For',
    'X-Original-Host',
    'X-Original-URL',
    'X-Remote-IP',
    'X-Remote-Addr',
    'X-Envoy-External-Address',
    'X-Azure-ClientIP',
    'X-ARR-LOG-ID',
    'X-AppEngine-User-IP',
    'X-Cloud-Trace-Context',
    'X-Vercel-Id',
    'X-NF-Client-Connection-IP',
    'X-Akamai-Edgescape',
    'Akamai-Origin-Hop',
    'CDN-Loop',
    'X-Varnish',
    'X-Request-Start',
    'X-Scheme',
    'X-Proxy-User-IP',
    'WL-Proxy-Client-IP',
    'Proxy-Client-IP',
    'Front-End-Https',
    'Surrogate-Capability',
    'X-ProxyUser-IP',
    'Tailscale-User-Login',
    'X-Railway-Edge',
    'Rndr-Id',
    'X-Host',
  ])('are not available to requests forwarded with %s, whatever its value', async (name) => {
    for (const value of ['127.0.0.1', '203.0.113.5', 'x', ''])
      expect(await allowed(app, { headers: { host: 'localhost', [name]: value } })).toBe(false);
  });
});
