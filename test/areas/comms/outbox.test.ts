import { brandNamed } from '../../support/brand.ts';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbox } from '../../../src/areas/comms/outbox.ts';
import { outboxRoutes } from '../../../src/areas/comms/routes.ts';
import { type Config, parseConfig } from '../../../src/config.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { assetRoutes } from '../../../src/platform/ui/routes.assets.ts';
import { createLayout } from '../../../src/platform/ui/pages.tsx';
import { pagePolicy } from '../../../src/platform/http/security.ts';
import { freshApp, type FreshApp, testAssets } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const clock = { now: () => Date.UTC(2026, 2, 4) };
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const messageId = '0195e2f0-7c1a-7000-8000-000000000000';

type Environment = Config['NODE_ENV'];

async function open(environment: Environment, env: Record<string, string> = {}) {
  const outbox = createOutbox({ clock });
  const assets = await testAssets();
  const app = await withPublicRoutes(createTestHttp(env), (routes) => {
    routes.register(outboxRoutes, {
      outbox,
      layout: createLayout(brandNamed('Acme'), assets),
      development: developmentOf(parseConfig({ ...env, NODE_ENV: environment })),
    });
    routes.register(assetRoutes, { assets });
  });
  const show = (url: string) => app.inject({ url, headers: asBrowser });
  const put = (to: string, text = 'Hello', html: string | null = null) =>
    outbox.provider.send({
      id: messageId,
      channel: to.includes('@') ? 'email' : 'sms',
      to,
      subject: to.includes('@') ? 'Subject' : null,
      text,
      html: html === null ? null : () => html,
    });
  return { app, show, put, outbox };
}

describe('the outbox of the service', () => {
  let app: FreshApp;
  beforeAll(async () => {
    app = await freshApp({ env: { APP_NAME: 'Acme' }, isEmbedded: true });
    await app.services.queues.start();
  });
  afterAll(() => app.close());

  it('shows what was sent on channels without a provider, newest first, by recipient', async () => {
    const { messages } = app.services;
    const code = {
      template: 'sign_in_code' as const,
      params: { code: '123456', minutes: '10', host: 'localhost' },
      expiresAt: Date.now() + 60_000,
    };
    const list = async (url = '/dev/outbox') =>
      (await new TestClient(app).get<{ messages: { id: string }[] }>(url)).body.messages;
    const first = await messages.send({ ...code, channel: 'sms', to: '+15550100123', key: 'a' });
    await expect.poll(list).toHaveLength(1);
    const email = { channel: 'email' as const, to: 'ada@example.org' };
    const second = await messages.send({ ...code, ...email, key: 'b' });
    await expect.poll(list).toHaveLength(2);
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await list('/dev/outbox/?to=%2B15550100123')).toEqual([
      {
        id: first.id,
        channel: 'sms',
        to: '+15550100123',
        subject: null,
        text: 'Acme code: 123456. Do not share it.\n@localhost #123456',
        created_at: expect.any(String) as string,
      },
    ]);
    expect(await list('/dev/outbox?to=ada')).toEqual([]);
  });

  it('is not in the API reference', async () => {
    const { text } = await new TestClient(app).get('/api/openapi.json');
    expect(text).toContain('/api/');
    expect(text).not.toContain('/dev/outbox');
  });
});

it('the outbox keeps the newest 500 messages', async () => {
  const { put, outbox } = await open('test');
  for (let n = 0; n < 510; n++) await put(`+1555${String(n).padStart(7, '0')}`);
  const kept = outbox.list();
  expect(kept).toHaveLength(500);
  expect(kept[0]?.to).toBe('+15550000509');
  expect(kept.at(-1)?.to).toBe('+15550000010');
});

describe('the page of the outbox', () => {
  it('is escaped HTML without scripts, under the content security policy of pages', async () => {
    const { app, show, put } = await open('development');
    await put("o'<b>@example.org", '<script>alert(1)</script>');
    const response = await show('/dev/outbox?to=o%27%3Cb%3E%40example.org');
    expect(response).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `${pagePolicy}; frame-src 'self'`,
        'cache-control': 'no-store',
        vary: 'accept',
      },
    });
    expect(response.body).toContain('<html lang="en">');
    expect(response.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(response.body).not.toMatch(/<script|<style|style="|<b>|\son\w+=/);
    const json = await app.inject('/dev/outbox');
    expect(json.headers['content-type']).toMatch(/^application\/json/);
    expect(json.headers['content-security-policy']).not.toBe(pagePolicy);
  });

  it('has the layout and the style sheet of all pages', async () => {
    const { app, show } = await open('development');
    const { body } = await show('/dev/outbox');
    expect(body).toContain('<title>Outbox – Acme</title>');
    expect(body).toContain('No messages yet.');
    const styleSheet = /<link rel="stylesheet" href="([^"]+)">/.exec(body)?.[1] ?? '';
    const response = await app.inject(styleSheet);
    expect(response).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/css; charset=utf-8' },
    });
    expect(response.body).toContain('light-dark(');
    expect(response.body).toMatch(/\barticle\{/);
  });
});

describe('the HTML part of an email', () => {
  const path = `/dev/outbox/${messageId}/html`;

  it('does not exist for an SMS', async () => {
    const { show, put } = await open('development');
    await put('+15550100123');
    expect((await show('/dev/outbox')).body).not.toContain('/html"');
    expect((await show(path)).statusCode).toBe(404);
  });

  it('is linked in the page, and shown in a sandbox for styles and own images', async () => {
    const { show, put } = await open('development');
    const html = '<!doctype html><p style="color:red">Hello</p>';
    await put('ada@example.org', 'Hello', html);
    expect((await show('/dev/outbox')).body).toContain(`<a href="${path}">View HTML</a>`);
    const response = await show(path);
    expect(response).toMatchObject({
      statusCode: 200,
      body: html,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      },
    });
    expect(response.headers['content-security-policy']).toMatch(
      /^sandbox [^;]*; default-src 'none'; img-src data:; style-src 'unsafe-inline'; /,
    );
    expect(response.headers['content-security-policy']).not.toMatch(/allow-(scripts|same-origin)/);
  });
});

describe('a client that may not see the outbox', () => {
  const away: InjectOptions = { remoteAddress: '203.0.113.5' };

  /** A response, without what differs between any two. */
  async function refusal(
    app: Awaited<ReturnType<typeof open>>['app'],
    url: string,
    options: InjectOptions,
  ) {
    const { statusCode, headers, body } = await app.inject({
      url,
      ...options,
      headers: { ...options.headers, 'x-request-id': 'the-same-id' },
    });
    return { statusCode, headers: { ...headers, date: '' }, body };
  }

  const pretending = { headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost' } };
  const sentBy = (headers: Record<string, string>): InjectOptions => ({ headers });
  it.each<[string, Environment, InjectOptions]>([
    ['anybody in production', 'production', {}],
    ['a browser in production', 'production', { headers: asBrowser }],
    ['another machine', 'development', away],
    ['another machine that claims to be this one', 'development', { ...away, ...pretending }],
    ['somebody behind a proxy here', 'development', sentBy({ 'x-forwarded-for': '203.0.113.5' })],
    ['somebody behind a tunnel to this machine', 'development', sentBy({ host: 'tunnel.example' })],
    ['a page rebound to this machine', 'test', sentBy({ host: 'localhost.example:3000' })],
  ])('(%s) gets the 404 of a path that does not exist', async (_who, environment, options) => {
    const { app } = await open(environment);
    const expected = await refusal(app, '/dev/nothing', options);
    expect(expected.statusCode).toBe(404);
    for (const path of ['', '/', '?to=x', '/style.css', `/${messageId}/html`])
      expect(await refusal(app, `/dev/outbox${path}`, options)).toEqual(expected);
  });

  it('does not include this machine, by any of its names', async () => {
    const { app } = await open('development');
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST']) {
        const response = await app.inject({ url: '/dev/outbox', remoteAddress, headers: { host } });
        expect(response.statusCode).toBe(200);
      }
    }
  });
});
