import { z } from 'zod';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { mailboxOf } from '../../lib/mailbox.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { defineSealedJob } from '../../platform/queues/sealed-job.ts';
import type { WaitlistParts } from './compose.ts';
import { consentVersion } from './consent.ts';
import type { Recipient } from './emails.ts';
import { newReferralCode } from './referral-codes.ts';
import { sources } from './tables.ts';

const pauseMs = 10 * minuteMs;
const maxMessages = 3;
const retentionDays = 7;

/** What a person entered, and from where. */
const Application = z.object({
  email: z.string(),
  name: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  referralCode: z.string().nullable(),
  network: z.string().nullable(),
  source: z.enum(sources),
});
type Application = z.output<typeof Application>;

/** People whom an admin has added. */
const Added = z.strictObject({ ids: z.array(z.uuid()) });

/** Defines the job of people who join. Repeating it sends no second link. */
export function defineJoinJob(parts: WaitlistParts) {
  const { store, creditStore, emails, tokens, clock, isDisposable } = parts;
  const queue = defineSealedJob(parts, {
    name: 'waitlist',
    purpose: 'waitlist',
    schema: z.union([Added, Application]),
    process: (request, askedAt) =>
      'ids' in request ? sendLinks(request.ids, askedAt) : join(request, askedAt),
    clean,
  });

  return {
    join,
    /** Queues a request to join. */
    queue: (application: Application) => queue(application),
    /** Queues links for people whom an admin has added. */
    queueLinks: (ids: readonly string[]) => queue({ ids: [...ids] }),
  };

  /** Puts a person on the list, or sends what a person who asks again needs. For jobs. */
  async function join(application: Application, askedAt: number): Promise<void> {
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
    // Denied people get nothing.
    if (entry === undefined || entry.status === 'denied') return;
    if (entry.status === 'pending') await sendLink(entry, askedAt);
    else if (entry.status === 'approved') await emails.sendInvitation(entry, askedAt);
    else await emails.sendPlace(entry, askedAt);
  }

  async function sendLinks(ids: readonly string[], askedAt: number): Promise<void> {
    for (const id of ids) {
      const entry = await store.find(id);
      if (entry?.status === 'pending') await sendLink(entry, askedAt);
    }
  }

  async function sendLink(recipient: Recipient, askedAt: number): Promise<void> {
    const token = tokens.verification(recipient.id, askedAt);
    if (await store.setConfirmHash(recipient.id, sha256Hex(token.proof), new Date(askedAt)))
      await emails.sendLink(recipient, token, askedAt);
  }

  async function clean(): Promise<void> {
    await store.deleteUnverified(new Date(clock.now() - retentionDays * dayMs));
    await creditStore.rebuild();
  }
}

export type JoinJob = ReturnType<typeof defineJoinJob>;
