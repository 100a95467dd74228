import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { consentVersion } from './consent.ts';
import type { CreditStore } from './credit-store.ts';
import { mailboxOf } from '../../lib/mailbox.ts';
import type { Recipient, WaitlistMails } from './mails.ts';
import { newReferralCode } from './referral-codes.ts';
import type { AskedEntry, JoinStore } from './store.ts';
import { sources } from './tables.ts';
import type { WaitlistTokens } from './tokens.ts';

export interface JoinJobOptions {
  store: JoinStore;
  creditStore: CreditStore;
  mails: WaitlistMails;
  tokens: WaitlistTokens;
  isDisposable: (email: string) => Promise<boolean>;
  queues: Queues;
  keys: Keys;
  clock: Clock;
}

const pauseMs = 10 * minuteMs;
const maxMessages = 3;
const retentionDays = 7;

const Task = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ask'),
    sealed: z.string(),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({
    kind: z.literal('verify'),
    ids: z.array(z.uuid()),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({ kind: z.literal('clean') }),
]);

/** The sealed part of a job: what a person entered, and from where. */
export const Application = z.object({
  email: z.string(),
  name: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  referralCode: z.string().nullable(),
  network: z.string().nullable(),
  source: z.enum(sources),
});
export type Application = z.output<typeof Application>;

/** Creates the functions that send links. They are idempotent. */
function createAsking(options: JoinJobOptions) {
  const { store, mails, tokens, isDisposable } = options;

  async function sendLink(recipient: Recipient, askedAt: number): Promise<void> {
    const token = tokens.verification(recipient.id, askedAt);
    if (await store.setConfirmHash(recipient.id, sha256Hex(token.proof), new Date(askedAt)))
      await mails.sendLink(recipient, token, askedAt);
  }

  /** Sends what a person who asks again needs. Denied people get nothing. */
  async function sendFor(entry: AskedEntry, askedAt: number): Promise<void> {
    if (entry.status === 'pending') await sendLink(entry, askedAt);
    else if (entry.status === 'approved') await mails.sendInvitation(entry, askedAt);
    else if (entry.status !== 'denied') await mails.sendPlace(entry, askedAt);
  }

  return {
    /** Puts a person on the list, or sends them their link again. */
    async ask(application: Application, askedAt: number): Promise<void> {
      const { email, name, metadata, referralCode, network, source } = application;
      const before = (ms: number) => new Date(askedAt - ms);
      const referredBy = referralCode === null ? undefined : await store.idOfCode(referralCode);
      const entry = await store.request({
        id: uuidv7(askedAt),
        email,
        mailbox: mailboxOf(email),
        name,
        metadata: JSON.stringify(metadata),
        source,
        isDisposable: await isDisposable(email),
        referralCode: newReferralCode(),
        referredBy: referredBy ?? null,
        network,
        consentVersion,
        askedAt: new Date(askedAt),
        since: before(pauseMs),
        longSince: before(dayMs),
        max: maxMessages,
      });
      if (entry !== undefined) await sendFor(entry, askedAt);
    },

    /** Sends links to people whom an admin has added. */
    async askAdded(ids: readonly string[], askedAt: number): Promise<void> {
      for (const id of ids) {
        const entry = await store.find(id);
        if (entry?.status === 'pending') await sendLink(entry, askedAt);
      }
    },
  };
}

/**
 * Defines the job of people who join. It works on what was entered after the request is answered,
 * so that the answer and its time never tell whether an address is known.
 */
export function defineJoinJob(options: JoinJobOptions) {
  const { store, creditStore, queues, keys, clock } = options;
  const seal = createSeal(keys('waitlist'));
  const asking = createAsking(options);

  async function clean(): Promise<void> {
    await store.deleteUnverified(new Date(clock.now() - retentionDays * dayMs));
    await creditStore.rebuild();
  }

  const job = queues.defineJob({
    name: 'waitlist',
    schema: Task,
    options: {
      attempts: 4,
      concurrency: 4,
      keepDone: false,
      every: { ms: dayMs, payload: { kind: 'clean' } },
    },
    async process(task) {
      if (task.kind === 'clean') return clean();
      if (task.kind === 'verify') return asking.askAdded(task.ids, task.askedAt);
      const opened = seal.open(task.sealed);
      // Sealed with another AUTH_SECRET: no retry can open it.
      if (opened === undefined)
        throw new PermanentJobError('the request was sealed with another key');
      return asking.ask(Application.parse(JSON.parse(opened)), task.askedAt);
    },
  });

  return {
    /** Puts a person on the list at once. For jobs. */
    ask: (application: Application, askedAt: number): Promise<void> =>
      asking.ask(application, askedAt),

    /** Queues a request to join. */
    queue: (application: Application) =>
      job.add({
        kind: 'ask',
        sealed: seal.seal(JSON.stringify(application)),
        askedAt: clock.now(),
      }),
    /** Queues links for people whom an admin has added. */
    queueLinks: (ids: readonly string[]) =>
      job.add({ kind: 'verify', ids: [...ids], askedAt: clock.now() }),
  };
}

export type JoinJob = ReturnType<typeof defineJoinJob>;
