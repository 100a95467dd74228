import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, startProvider } from '../areas/identity/providers/real-provider.ts';
import { startSmtpReceiver } from '../areas/comms/receivers.ts';
import { adminKey } from '../support/app.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { freePort } from '../support/redis-server.ts';
import { testRedisUrl } from '../support/redis.ts';
import { outputOf, untilReady } from './running-service.ts';

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
  let log: () => string;

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
    log = outputOf(service);
    await untilReady(base);
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

  async function post(path: string, body: Body, token?: unknown) {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${String(token)}` }),
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${base}${path}`, request);
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  async function signIn(email: string): Promise<unknown> {
    const { body: sent } = await post('/api/auth/email/initiate', { email });
    const source = () =>
      mail.received.find(({ recipients }) => recipients.includes(email))?.source ?? '';
    await expect.poll(source, { timeout: 10_000 }).not.toBe('');
    const code = /\r\n(\d{6})\r\n/.exec(source())?.[1];
    const proof = { email, code, verification_id: sent.verification_id };
    const { status, body } = await post('/api/auth/otp/verify', proof);
    expect(status).toBe(200);
    return body.access_token;
  }

  it('sends codes by email, and by SMS into the outbox', async () => {
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
    const epoch = Math.floor(Date.now() / 1000);
    const code = await generate({ secret: String(body.secret), epoch });
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
    const lines = log().split('\n');
    expect(lines.filter((line) => /^\{(?!.*"level":"info")/.test(line))).toEqual([]);
  });
});
