import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startHttpReceiver } from '../areas/comms/receivers.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { rounds } from '../support/rounds.ts';
import { startTestRedis, type TestRedis } from '../support/redis-server.ts';
import { ask, post, type Service, startService } from './ingest-service.ts';

const kills = rounds(6, 10);
const workers = 8;
const secret = `whsec_${Buffer.from('a key for the tests of webhooks!').toString('base64')}`;

/** One sign-in by code, up to the point at which the process was killed. */
interface Attempt {
  phone: string;
  /** Set once the request for a code was answered. */
  verificationId?: string;
  code?: string;
  /** Whether the code was submitted. */
  isEntered?: boolean;
  /** `token` and `userId` are set once the answer arrived. */
  token?: string;
  userId?: string;
}

interface Sms {
  id: string;
  to: string;
  text: string;
}

const countSignedIn = (attempts: readonly Attempt[]): number =>
  attempts.filter(({ token }) => token !== undefined).length;

const codeOf = ({ text }: Sms) => /#(\d{6})$/.exec(text)?.[1];

describe.skipIf(findPostgres() === undefined)('kill -9 in the middle of sign-ins', () => {
  let redis: TestRedis;
  let postgres: TestPostgres;
  let sms: Awaited<ReturnType<typeof startHttpReceiver>>;
  let dataDir: string;
  beforeAll(async () => {
    [redis, postgres, sms, dataDir] = await Promise.all([
      startTestRedis(),
      startPostgres(),
      startHttpReceiver(),
      mkdtemp(join(tmpdir(), 'sign-in-kill-')),
    ]);
  });
  afterAll(async () => {
    await Promise.all([
      redis.stop(),
      postgres.stop(),
      sms.close(),
      rm(dataDir, { recursive: true, force: true }),
    ]);
  });

  const start = () =>
    startService({
      DATA_DIR: dataDir,
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      SMS_URL: sms.url,
      SMS_WEBHOOK_SECRET: secret,
      OTP_LIMITS: 'off',
      LOG_LEVEL: 'error',
      AUTH_SECRET: 'hW3k9QmT7xRb2LwYp8NcD4sHfJ6gAe1UzX5v',
    });
  const messages = (): Sms[] => sms.received.map(({ body }) => JSON.parse(body) as Sms);

  async function waitForCode(phone: string, isStopped: () => boolean): Promise<string | undefined> {
    while (!isStopped()) {
      const message = messages().find(({ to }) => to === phone);
      if (message !== undefined) return codeOf(message);
      await delay(2);
    }
    return undefined;
  }

  const submitCode = (port: number, { phone, code, verificationId }: Attempt) =>
    post(port, '/api/auth/mobile/verify', { phone, code, verification_id: verificationId });

  async function signIn(
    service: Service,
    attempt: Attempt,
    isStopped: () => boolean,
  ): Promise<void> {
    const { port } = service;
    const sent = await post(port, '/api/auth/mobile/initiate', { phone: attempt.phone });
    if (sent.status !== 200) console.error(sent.text, service.output().slice(-1500));
    expect(sent.status).toBe(200);
    attempt.verificationId = (JSON.parse(sent.text) as { verification_id: string }).verification_id;
    const code = await waitForCode(attempt.phone, isStopped);
    if (code === undefined) return;
    Object.assign(attempt, { code, isEntered: true });
    const entered = await submitCode(port, attempt);
    expect(entered.status).toBe(200);
    const { access_token: token, user } = JSON.parse(entered.text) as {
      access_token: string;
      user: { id: string };
    };
    Object.assign(attempt, { token, userId: user.id });
  }

  /** Signs users in until the process is killed; requests in flight fail. */
  async function runRound(service: Service, first: number, attempts: Attempt[]): Promise<void> {
    let next = first;
    let isKilled = false;
    const before = countSignedIn(attempts);
    async function work(): Promise<void> {
      while (!isKilled) {
        const attempt: Attempt = { phone: `+447400${(next += 1)}` };
        attempts.push(attempt);
        await signIn(service, attempt, () => isKilled).catch((error: unknown) => {
          if (!isKilled) throw error;
        });
      }
    }
    const working = Promise.all(Array.from({ length: workers }, work));
    await delay(randomInt(150, 900));
    // A busy machine may have signed in nobody by then.
    await vi.waitFor(() => expect(countSignedIn(attempts)).toBeGreaterThan(before + 1), {
      timeout: 60_000,
      interval: 2,
    });
    isKilled = true;
    await service.kill('SIGKILL');
    await working;
  }

  test('keeps every answered code, session and audit entry; a code works once', async () => {
    const attempts: Attempt[] = [];
    for (let at = 0; at < kills; at += 1)
      await runRound(await start(), 100_000 + at * 5000, attempts);
    const { port, kill } = await start();
    const requested = attempts.filter(({ verificationId }) => verificationId !== undefined);
    const signedIn = attempts.filter(({ token }) => token !== undefined);
    expect(signedIn.length).toBeGreaterThan(kills);

    // A job that a killed process had started resumes when its lock expires.
    const waiting = () =>
      requested.filter(({ phone }) => !messages().some(({ to }) => to === phone)).length;
    await vi.waitFor(() => expect(waiting()).toBe(0), { timeout: 100_000, interval: 500 });
    for (const { to } of messages())
      expect(
        new Set(
          messages()
            .filter((message) => message.to === to)
            .map(({ id, text }) => `${id} ${text}`),
        ).size,
      ).toBe(1);

    for (const { token, userId } of signedIn) {
      const me = await ask(port, '/api/auth/me', {
        headers: { authorization: `Bearer ${String(token)}` },
      });
      expect({ status: me.status, id: (JSON.parse(me.text) as { id: string }).id }).toEqual({
        status: 200,
        id: userId,
      });
    }
    for (const attempt of signedIn) expect((await submitCode(port, attempt)).status).toBe(400);
    // A client whose answer was lost may retry; the code opens at most one session.
    const unanswered = attempts.filter(
      ({ isEntered, token }) => isEntered === true && token === undefined,
    );
    for (const attempt of unanswered) {
      const [once, twice] = [await submitCode(port, attempt), await submitCode(port, attempt)];
      expect([
        [200, 400],
        [400, 400],
      ]).toContainEqual([once.status, twice.status]);
    }
    await kill('SIGTERM');

    const db = new pg.Client({ connectionString: postgres.url });
    await db.connect();
    const twice = await db.query(
      'select key from identities group by kind, key having count(*) > 1',
    );
    const orphaned = await db.query(
      'select id from users where not exists (select from identities where user_id = users.id)',
    );
    const audited = await db.query<{ actor_id: string }>(
      'select distinct actor_id from audit_events where action = ' +
        "'session.created' and outcome = 'success'",
    );
    const unsettled = await db.query(
      "select status from deliveries where status not in ('sent', 'queued') ",
    );
    await db.end();
    expect({
      twiceRows: twice.rows,
      orphanedRows: orphaned.rows,
      unsettledRows: unsettled.rows,
    }).toEqual({ twiceRows: [], orphanedRows: [], unsettledRows: [] });
    const inAudit = new Set(audited.rows.map(({ actor_id: id }) => id));
    expect(signedIn.filter(({ userId }) => !inAudit.has(userId ?? ''))).toEqual([]);
    console.log(
      JSON.stringify({
        kills,
        requested: requested.length,
        signedIn: signedIn.length,
        unanswered: unanswered.length,
        messages: messages().length,
      }),
    );
  });
});
