import { z } from 'zod';
import { createSeal } from '../../../../lib/secrets/seal.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { systemActor } from '../../../../platform/http/requests/request-actor.ts';
import type { AccountParts } from '../context.ts';
import { recipientOf } from '../notices.ts';
import { texts } from '../texts/en.ts';

const batch = 100;

/** Whom to tell that the account is gone. */
const DeletionNotice = z.object({
  recipient: z.object({ kind: z.enum(['email', 'phone']), value: z.string() }).optional(),
});

/**
 * Creates the functions that delete accounts. Several replicas may run them: each account is
 * deleted once. Sessions are ended and the message is sent after the transaction; when a process
 * dies in between, the next run does it, and the message's key keeps it from being sent twice.
 */
export function createErasure({
  deletions,
  findPerson,
  keys,
  users,
  sessions,
  pendingContacts,
  audit,
  notices,
  clock,
}: AccountParts) {
  const seal = createSeal(keys('account'));
  return {
    /** Deletes one account, if it is due. */
    eraseOne: async (userId: string): Promise<void> => {
      await erase(userId);
      for (const left of await deletions.unfinished({ limit: 1, userId })) await finish(left);
    },

    /** Deletes all accounts that are due, and ends deletions that a stopped process began. */
    eraseDue: async (): Promise<void> => {
      await finishAll();
      let due: string[];
      do {
        due = await deletions.due(new Date(clock.now()), batch);
        for (const userId of due) await erase(userId);
        await finishAll();
      } while (due.length > 0);
    },
  };

  async function erase(userId: string): Promise<void> {
    const outcome = await deletions.erase(userId, {
      now: new Date(clock.now()),
      async prepare(within) {
        const { person, recipient } = await findPerson(within, userId);
        return { person, sealed: seal.seal(JSON.stringify({ recipient })) };
      },
      record: (within, result) => recordOutcome(within, userId, result),
    });
    if (outcome !== 'last_admin') return;
    const { identities } = await users.get(userId);
    const key = `deletion-refused:${userId}:${clock.now()}`;
    await notices.trySend(recipientOf(identities), texts.deletionRefused, key);
  }

  function recordOutcome(
    within: Database,
    userId: string,
    outcome: 'deleted' | 'last_admin',
  ): Promise<unknown> {
    const entry = { ...systemActor, target: { kind: 'user', id: userId } };
    return audit.recordIn(within, [
      outcome === 'deleted'
        ? { ...entry, action: 'user.deleted' }
        : { ...entry, action: 'user.deletion_canceled', reason: 'account.last_admin' },
    ]);
  }

  async function finishAll(): Promise<void> {
    for (const left of await deletions.unfinished({ limit: batch })) await finish(left);
  }

  async function finish({ id, sealed }: { id: string; sealed: string }): Promise<void> {
    await sessions.erase(id);
    await pendingContacts.remove(id, 'email', 'phone');
    await sendNotice(id, sealed);
    await deletions.finish(id);
  }

  /** Sends the last message. Without a provider there is none. */
  async function sendNotice(id: string, sealed: string): Promise<void> {
    const text = seal.open(sealed);
    // Sealed with another AUTH_SECRET: nobody can open it any more.
    if (text === undefined) return;
    const { recipient } = DeletionNotice.parse(JSON.parse(text));
    if (recipient === undefined) return;
    await notices
      .send(recipient, texts.deleted, `account-deleted:${id}`)
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'comms.not_configured')) throw error;
      });
  }
}

export type Erasure = ReturnType<typeof createErasure>;
