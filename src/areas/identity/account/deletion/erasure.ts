import { z } from 'zod';
import type { Clock } from '../../../../lib/clock.ts';
import type { Seal } from '../../../../lib/secrets/seal.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { systemActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Audit } from '../../../audit/service.ts';
import type { Users } from '../../users/service.ts';
import { type AccountNotices, recipientOf } from '../notices.ts';
import type { FindPerson } from '../persons.ts';
import { texts } from '../texts/en.ts';
import type { DeletionStore } from './store.ts';

export interface ErasureDeps {
  deletions: DeletionStore;
  findPerson: FindPerson;
  seal: Seal;
  users: Pick<Users, 'get'>;
  audit: Pick<Audit, 'recordIn'>;
  notices: AccountNotices;
  clock: Clock;
  /** Ends the sessions of a deleted user, and removes what Redis has of them. */
  eraseFromRedis: (userId: string) => Promise<void>;
}

const batch = 100;

/** Whom to tell that the account is gone. */
const DeletionNotice = z.object({
  recipient: z.object({ kind: z.enum(['email', 'phone']), value: z.string() }).optional(),
});

function recordOutcome(
  { audit }: ErasureDeps,
  within: Database,
  userId: string,
  outcome: 'deleted' | 'last_admin',
): Promise<unknown> {
  const target = { kind: 'user', id: userId };
  return audit.recordIn(within, [
    outcome === 'deleted'
      ? { ...systemActor, action: 'user.deleted', target }
      : { ...systemActor, action: 'user.deletion_canceled', reason: 'account.last_admin', target },
  ]);
}

async function eraseUser(deps: ErasureDeps, userId: string): Promise<void> {
  const { deletions, findPerson, seal, users, notices, clock } = deps;
  const outcome = await deletions.erase(userId, {
    now: new Date(clock.now()),
    async prepare(within) {
      const { person, recipient } = await findPerson(within, userId);
      return { person, sealed: seal.seal(JSON.stringify({ recipient })) };
    },
    record: (within, result) => recordOutcome(deps, within, userId, result),
  });
  if (outcome !== 'last_admin') return;
  const { identities } = await users.get(userId);
  const key = `deletion-refused:${userId}:${clock.now()}`;
  await notices.trySend(recipientOf(identities), texts.deletionRefused, key);
}

/** Sends the last message. Without a provider there is none. */
async function sendDeletionNotice(
  { seal, notices }: ErasureDeps,
  { id, sealed }: { id: string; sealed: string },
): Promise<void> {
  const text = seal.open(sealed);
  // Sealed with another AUTH_SECRET: nobody can open it any more.
  if (text === undefined) return;
  const { recipient } = DeletionNotice.parse(JSON.parse(text));
  if (recipient === undefined) return;
  await notices.send(recipient, texts.deleted, `account-deleted:${id}`).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'comms.not_configured')) throw error;
  });
}

/**
 * Creates the functions that delete accounts. Several replicas may run them: each account is
 * deleted once. Sessions are ended and the message is sent after the transaction; when a process
 * dies in between, the next run does it, and the message's key keeps it from being sent twice.
 */
export function createErasure(deps: ErasureDeps) {
  const { deletions, clock, eraseFromRedis } = deps;

  async function finish(left: { id: string; sealed: string }): Promise<void> {
    await eraseFromRedis(left.id);
    await sendDeletionNotice(deps, left);
    await deletions.finish(left.id);
  }

  async function finishAll(): Promise<void> {
    for (const left of await deletions.unfinished({ limit: batch })) await finish(left);
  }

  return {
    /** Deletes one account, if it is due. */
    eraseOne: async (userId: string): Promise<void> => {
      await eraseUser(deps, userId);
      for (const left of await deletions.unfinished({ limit: 1, userId })) await finish(left);
    },

    /** Deletes all accounts that are due, and ends deletions that a stopped process began. */
    eraseDue: async (): Promise<void> => {
      await finishAll();
      let due: string[];
      do {
        due = await deletions.due(new Date(clock.now()), batch);
        for (const userId of due) await eraseUser(deps, userId);
        await finishAll();
      } while (due.length > 0);
    },
  };
}

export type Erasure = ReturnType<typeof createErasure>;
