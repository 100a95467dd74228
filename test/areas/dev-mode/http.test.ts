import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { developmentRoutes } from '../../../src/areas/dev-mode/routes.ts';
import {
  createDevelopmentReports,
  type DevelopmentContext,
} from '../../../src/areas/dev-mode/service.ts';
import { parseConfig } from '../../../src/config.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { request } from '../../support/client.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const writes = ['PUT', 'POST', 'PATCH'] as const;
const answered = ['GET', 'DELETE', ...writes] as const;
const access = '/workflows/api/v1/auth/dev-access';
const mode = '/workflows/api/v1/auth/dev-mode';
const status = '/workflows/api/v1/auth/dev-status';
const paths = [access, mode, status];

let now = Date.UTC(2026, 2, 4, 12);

const open = (
  environment: DevelopmentContext['environment'] = 'development',
  env: Record<string, string> = {},
  more: Partial<DevelopmentContext> = {},
): Promise<FastifyInstance> =>
  withPublicRoutes(createTestHttp(env), (routes) => {
    const development = developmentOf(parseConfig({ NODE_ENV: environment, ...env }));
    const reports = createDevelopmentReports({
      environment,
      development,
      hasBypass: development.bypass,
      keptChannels: ['email', 'SMS'],
      stores: { REDIS_URL: undefined, DATABASE_URL: undefined, EVENTS_URL: undefined },
      version: '0.1.0',
      clock: { now: () => now },
      ...more,
    });
    developmentRoutes(routes, reports);
  });

describe.each(paths)('%s', (url) => {
  it.each(answered)('answers %s with JSON, with and without slash', async (method) => {
    const app = await open();
    const response = await request(app, { method, url });
    expect(response).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { method },
    });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect((await request(app, { method, url: `${url}/` })).text).toBe(response.text);
  });

  it('answers HEAD without a body', async () => {
    expect(await request(await open(), { method: 'HEAD', url })).toMatchObject({
      status: 200,
      text: '',
    });
  });

  it('answers OPTIONS, where Allow names the seven methods', async () => {
    const { status, headers } = await request(await open(), { method: 'OPTIONS', url });
    expect(status).toBe(200);
    const seven = [...answered, 'HEAD', 'OPTIONS'];
    expect(String(headers.allow).split(', ').sort()).toEqual(seven.sort());
  });

  it.each(writes)('ignores the body of %s, whatever its content and type', async (method) => {
    const app = await open();
    const send = async (payload: string, type = 'application/json') =>
      (await request(app, { method, url, headers: { 'content-type': type }, payload })).status;
    for (const payload of ['{"a":[1,{"b":null}]}', '[1,2]', '"text"', '5', 'null', ''])
      expect(await send(payload), payload).toBe(200);
    for (const type of ['application/json', 'text/plain', 'application/xml', 'nonsense'])
      expect(await send('{', type), type).toBe(200);
    expect(await send(JSON.stringify('x'.repeat(17 * 1024)))).toBe(413);
  });
});

describe('in development, for requests from this machine', () => {
  it('dev-access says what this request may use', async () => {
    const app = await open('development', {}, { hasBypass: false });
    expect((await request(app, { url: access })).body).toEqual({
      enabled: true,
      environment: 'development',
      method: 'GET',
      changed: false,
      detail: 'This request comes from this machine without a proxy, so it may use what is on.',
      allowed: { bypass: false, outbox: true, components: true },
    });
  });

  it('dev-mode says which conveniences are on, and why others are off', async () => {
    const app = await open('development', {}, { hasBypass: false, keptChannels: ['SMS'] });
    const { body } = await request(app, { url: mode });
    expect(body).toMatchObject({
      enabled: true,
      conveniences: [
        { name: 'bypass', on: false, detail: 'Off, because an identity provider is set up.' },
        { name: 'outbox', on: true, path: '/dev/outbox' },
        { name: 'components', on: true },
      ],
    });
    expect(body).not.toHaveProperty('allowed');
  });

  it('dev-status says the state of the environment, and names no address', async () => {
    const secret = 'postgres://svc:s3cret@db.internal/svc';
    const stores = { REDIS_URL: undefined, DATABASE_URL: secret, EVENTS_URL: undefined };
    const app = await open('development', {}, { stores });
    now += 90_500;
    const { body, text } = await request(app, { url: status });
    expect(body).toMatchObject({
      enabled: true,
      version: '0.1.0',
      started_at: new Date(now - 90_500).toISOString(),
      uptime_seconds: 90,
      stores: { redis: 'embedded', database: 'external', events: 'embedded' },
    });
    expect(text).not.toMatch(/s3cret|db\.internal|svc:/);
  });

  it('the three reports differ', async () => {
    const app = await open();
    const members = await Promise.all(
      paths.map(async (url) => Object.keys((await request(app, { url })).body).join()),
    );
    expect(new Set(members).size).toBe(3);
  });
});

describe('hostile: the reports are closed, and no method has an effect', () => {
  const closedMembers = ['enabled', 'environment', 'method', 'changed', 'detail'];
  const expectClosed = (body: Record<string, unknown>, expected: object = {}) => {
    expect(body).toMatchObject({ enabled: false, changed: false, ...expected });
    expect(Object.keys(body)).toEqual(closedMembers);
  };

  it.each(paths)('%s outside development', async (url) => {
    for (const environment of ['production', 'test'] as const) {
      const app = await open(environment);
      for (const method of [...answered, 'OPTIONS'] as const) {
        const payload = method === 'GET' ? {} : { payload: { enabled: true } };
        const { body } = await request(app, { method, url, ...payload });
        expectClosed(body, { environment, method });
      }
      expectClosed((await request(app, { url })).body);
    }
  });

  it.each(paths)('%s for requests from elsewhere, or through a proxy', async (url) => {
    const app = await open('development');
    for (const elsewhere of [
      { remoteAddress: '203.0.113.5' },
      { headers: { 'x-forwarded-for': '127.0.0.1' } },
      { headers: { forwarded: 'for=127.0.0.1' } },
      { headers: { host: 'svc.example' } },
    ])
      expectClosed((await request(app, { url, ...elsewhere })).body);
  });

  it.each(paths)('%s behind a trusted proxy, whatever it forwards', async (url) => {
    const app = await open('development', { TRUST_PROXY: '203.0.113.0/24' });
    const headers = { 'x-forwarded-for': '127.0.0.1' };
    const { body } = await request(app, { url, remoteAddress: '203.0.113.5', headers });
    expectClosed(body);
    expect(body.detail).not.toContain('TRUST_PROXY');
  });

  it('say why, but only to the developer at this machine', async () => {
    const app = await open('development', { BASE_URL: 'https://svc.example' });
    expect((await request(app, { url: access })).body).toMatchObject({
      enabled: false,
      detail:
        'Development conveniences are off for this request. ' +
        'BASE_URL is not an address of this machine.',
    });
    const far = await request(app, { url: access, remoteAddress: '203.0.113.5' });
    expect(far.body.detail).toBe('Development conveniences are off for this request.');
  });
});
