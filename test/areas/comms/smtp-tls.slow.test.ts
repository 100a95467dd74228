import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSmtp } from '../../../src/areas/comms/smtp.ts';
import { ask, sqlContent } from '../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { bundleProgram } from '../../support/typescript-process.ts';
import { parseMail, type SmtpReceiverOptions, startSmtpReceiver } from './receivers.ts';
import { redisContent } from './redis-content.ts';

const from = 'Acme <post@acme.example>';
const login = { user: 'acme@mail', password: 'Gl4ss:h0use/7?#ü' };
const tls = selfSignedCertificate();
const credentials = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`;
const trusting = `?tls.ca=${encodeURIComponent(tls.cert)}`;
const rendered = {
  id: '018f0000-0000-7000-8000-000000000001',
  channel: 'email',
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'Hello',
  html: null,
} as const;

type Receiver = Awaited<ReturnType<typeof startSmtpReceiver>>;
const open: Receiver[] = [];
async function start(options: SmtpReceiverOptions): Promise<Receiver> {
  const receiver = await startSmtpReceiver(options);
  open.push(receiver);
  return receiver;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

/** The password in all its encodings: plain, in a URL, and as in SMTP AUTH. */
const spellings = (password: string) => [
  password,
  encodeURIComponent(password),
  Buffer.from(password).toString('base64'),
  Buffer.from(`\0${login.user}\0${password}`).toString('base64'),
];

it('the test certificate is valid for this machine', () => {
  const certificate = new X509Certificate(tls.cert);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.ca).toBe(true);
});

const send = (url: string) => createSmtp({ url, from }).send(rendered);
const failureOf = (url: string): Promise<unknown> => send(url).catch((error: unknown) => error);

describe('a mail server with TLS and a login', () => {
  it.each([
    ['smtps', { isSecure: true }],
    ['smtp', {}],
  ] as const)(
    'by %s:// gets name and password on the encrypted connection only',
    async (scheme, options) => {
      const mail = await start({ tls, login, ...options });
      const url = `${scheme}://${credentials}@127.0.0.1:${mail.port}/${trusting}`;
      expect(await send(url)).toEqual({ reference: `<${rendered.id}@acme.example>` });
      expect(mail.received).toMatchObject([
        { recipients: ['ada@example.org'], isEncrypted: true, user: login.user },
      ]);
      expect(mail.logins).toEqual([{ ...login, isEncrypted: true }]);
      expect(parseMail(mail.received[0]?.source ?? '').headers('to')).toEqual(['ada@example.org']);
    },
  );

  it.each(['smtps', 'smtp'])(
    'by %s:// with an untrusted certificate gets nothing, and the send is retried',
    async (scheme) => {
      const mail = await start({ tls, login, isSecure: scheme === 'smtps' });
      const url = `${scheme}://${credentials}@127.0.0.1:${mail.port}`;
      expect(await failureOf(url)).toMatchObject({ name: 'SendError' });
      expect(mail).toMatchObject({ received: [], logins: [] });
    },
  );

  it('on another machine gets no password in plain text, even after STRIPTLS', async () => {
    // 0.0.0.0 reaches this machine, but does not count as a loopback name.
    const mail = await start({ login, isCareless: true });
    const url = `smtp://${credentials}@0.0.0.0:${mail.port}`;
    expect(await failureOf(url)).toMatchObject({ name: 'SendError', code: 'ETLS' });
    expect(mail).toMatchObject({ received: [], logins: [] });
    await send(`${url}?requireTLS=false`);
    expect(mail.received).toMatchObject([{ isEncrypted: false, user: login.user }]);
  });

  it('on this machine may lack TLS', async () => {
    const mail = await start({ login, isCareless: true });
    await send(`smtp://${credentials}@127.0.0.1:${mail.port}`);
    expect(mail.received).toMatchObject([{ isEncrypted: false, user: login.user }]);
  });

  it('that rejects the password is not tried again', async () => {
    const mail = await start({ tls, login, isSecure: true });
    const user = encodeURIComponent(login.user);
    const failure = await failureOf(`smtps://${user}:wrong@127.0.0.1:${mail.port}/${trusting}`);
    expect(failure).toMatchObject({
      name: 'PermanentSendError',
      code: 'smtp_535',
      message: 'the provider refused the message: smtp_535',
    });
    expect(failure).not.toHaveProperty('cause');
    expect(mail.received).toEqual([]);
  });

  it('is trusted with its authority in NODE_EXTRA_CA_CERTS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'smtp-ca-'));
    const program = await bundleProgram('smtp-sender.ts');
    try {
      await writeFile(join(folder, 'ca.pem'), tls.cert);
      const mail = await start({ tls, login, isSecure: true });
      const url = `smtps://${credentials}@127.0.0.1:${mail.port}`;
      expect((await program.start(url)).firstLine).toBe('ESOCKET');
      expect(mail.received).toEqual([]);
      vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'ca.pem'));
      expect((await program.start(url)).firstLine).toBe('sent');
      expect(mail.received).toMatchObject([{ isEncrypted: true, user: login.user }]);
    } finally {
      await program.remove();
      await rm(folder, { recursive: true });
    }
  }, 30_000);
});

describe('the service', () => {
  let app: FreshApp;
  let mail: Receiver;
  const wrong = 'N0t:the-right/0ne?#';
  beforeAll(async () => {
    mail = await startSmtpReceiver({ tls, login, isSecure: true });
    const userInfo = `${encodeURIComponent(login.user)}:${encodeURIComponent(wrong)}`;
    const url = `smtps://${userInfo}@127.0.0.1:${mail.port}/${trusting}`;
    app = await freshApp({ env: { SMTP_URL: url, MAIL_FROM: from } });
    await app.services.queues.start();
  }, 30_000);
  afterAll(async () => {
    await app.close();
    await mail.close();
  });

  it('fails at once with a wrong password, and does not log it', async () => {
    expect(await ask(app, 'smtp.person@example.com')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const rows = () =>
      app.stores.db.selectFrom('deliveries').select(['status', 'attempts', 'error_code']).execute();
    await expect
      .poll(rows, { timeout: 15_000, interval: 20 })
      .toEqual([{ status: 'failed', attempts: 1, error_code: 'smtp_535' }]);
    const delivery = async () =>
      (await app.services.queues.observe()).handlers.find(({ name }) => name === 'comms-delivery');
    await expect
      .poll(delivery, { timeout: 10_000 })
      .toMatchObject({ active: 0, waiting: 0, delayed: 0 });
    expect(mail.logins).toEqual([{ user: login.user, password: wrong, isEncrypted: true }]);
    expect(mail.received).toEqual([]);
    expect(app.log()).toContain('"error_code":"smtp_535"');
    const responses = await Promise.all(
      [
        '/api/health',
        '/api/health/queue',
        '/api/health/ready',
        '/api/status',
        '/api/auth/status',
        '/api/v1/audit',
        '/api/openapi.json',
      ].map((url) => new TestClient(app).as(asAdmin).get(url)),
    );
    expect(responses.map(({ status }) => status)).not.toContain(404);
    const places = {
      log: app.log(),
      redis: await redisContent(app.stores.redis),
      sql: [...(await sqlContent(app)).values()].join('\n'),
      answers: responses.map(({ text, headers }) => text + JSON.stringify(headers)).join('\n'),
    };
    const secrets = [...spellings(wrong), login.user, encodeURIComponent(login.user)];
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).toBeGreaterThan(100);
      expect(
        secrets.filter((each) => text.includes(each)),
        place,
      ).toEqual([]);
    }
  });
});
