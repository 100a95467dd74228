import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { client, startProvider } from '../areas/idp/real-provider.ts';
import { startSmtpReceiver } from '../areas/comms/receivers.ts';
import { adminKey } from '../support/app.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { freePort } from '../support/redis-server.ts';
import { testRedisUrl } from '../support/redis.ts';

type Body = Record<string, unknown>;

const bundle = join(import.meta.dirname, '../../dist/server.js');

// The other tests run the sources, where every import resolves. Only this one shows whether the
// bundle resolves the packages that are imported lazily.
describe('the built service', () => {
  let base: string;
  let dataDir: string;
  let mail: Awaited<ReturnType<typeof startSmtpReceiver>>;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let service: ReturnType<typeof spawn>;
  let log = '';

  beforeAll(async () => {
    const port = await freePort();
    base = `http://localhost:${port}`;
    [dataDir, mail, provider] = await Promise.all([
      mkdtemp(join(tmpdir(), 'built-service-')),
      startSmtpReceiver(),
      startProvider(base, {}),
    ]);
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      PORT: String(port),
      BASE_URL: base,
      DATA_DIR: dataDir,
      REDIS_URL: await testRedisUrl(),
      RATE_LIMIT: 'off',
      SMTP_URL: mail.url,
      MAIL_FROM: 'post@acme.example',
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: client.id,
      IDP_CLIENT_SECRET: client.secret,
      ADMIN_API_KEY: adminKey,
    };
    // A limit of V8, as operators set it. Threads refuse such an option.
    service = spawn(process.execPath, ['--max-old-space-size=1024', bundle], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [service.stdout, service.stderr])
      stream?.on('data', (chunk: Buffer) => {
        log += chunk.toString();
      });
    await vi.waitFor(
      async () => expect((await fetch(`${base}/api/health/ready`)).status).toBe(200),
      { timeout: 30_000 },
    );
  }, 60_000);

  afterAll(async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
    await Promise.all([
      mail.close(),
      provider.close(),
      rm(dataDir, { recursive: true, force: true }),
    ]);
  });

  async function post(
    path: string,
    body: Body,
    token?: unknown,
  ): Promise<{ status: number; body: Body }> {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${String(token)}` }),
    };
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  async function signIn(email: string): Promise<unknown> {
    const { body: sent } = await post('/api/auth/email/initiate', { email });
    await expect
      .poll(() => mail.received.some(({ recipients }) => recipients.includes(email)), {
        timeout: 10_000,
      })
      .toBe(true);
    const code = /\r\n(\d{6})\r\n/.exec(
      mail.received.find(({ recipients }) => recipients.includes(email))?.source ?? '',
    )?.[1];
    const { status, body } = await post('/api/auth/otp/verify', {
      email,
      code,
      verification_id: sent.verification_id,
    });
    expect(status).toBe(200);
    return body.access_token;
  }

  it('sends codes by mail, and by SMS into the outbox', async () => {
    await signIn('mail@example.com');
    expect(await post('/api/auth/mobile/initiate', { phone: '+44 7400 123001' })).toMatchObject({
      status: 200,
      body: { channel: 'sms' },
    });
    await expect
      .poll(async () => (await fetch(`${base}/dev/outbox?to=%2B447400123001`)).json(), {
        timeout: 10_000,
      })
      .toMatchObject({ messages: [{ channel: 'sms' }] });
  });

  it('checks the style of a QR code in its thread', async () => {
    const code = { name: 'Door', url: 'https://example.com/', style: { shape: 'dots' } };
    expect(await post('/api/v1/qr-codes', code, adminKey)).toMatchObject({
      status: 200,
      body: { style: { shape: 'dots' } },
    });
  });

  it('enrols an authenticator app', async () => {
    const token = await signIn('app@example.com');
    const { body } = await post('/api/auth/2fa/totp', {}, token);
    expect(body.qr_svg).toMatch(/^<svg/);
    const code = await generate({
      secret: String(body.secret),
      epoch: Math.floor(Date.now() / 1000),
    });
    expect(await post('/api/auth/2fa/totp/confirm', { code }, token)).toEqual({
      status: 200,
      body: { ok: true },
    });
  });

  it('enrols a passkey', async () => {
    const token = await signIn('passkey@example.com');
    const { body } = await post('/api/auth/2fa/passkeys/options', {}, token);
    const credential = createAuthenticator({ origin: base }).create(body);
    expect(
      await post('/api/auth/2fa/passkeys', { credential, name: 'Blue key' }, token),
    ).toMatchObject({ status: 201, body: { name: 'Blue key' } });
  });

  it('redirects to the identity provider', async () => {
    const answer = await fetch(`${base}/api/auth/idp/start`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain(`${provider.issuer}/`);
  });

  it('has logged nothing above info level by then', () => {
    expect(
      log.split('\n').filter((line) => line.startsWith('{') && !line.includes('"level":"info"')),
    ).toEqual([]);
  });
});
