import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { minuteMs } from '../../lib/durations.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { AppError } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { Audit } from '../audit/service.ts';
import type { CreditStore } from './credit-store.ts';
import { type BatchStore, entryStore } from './entry-store.ts';
import { waitlistErrors } from './errors.ts';
import type { WaitlistMails } from './mails.ts';
import type { RankingStore } from './ranking-store.ts';
import type { ApproveBody, BatchView, FiguresView } from './schemas.entries.ts';
import type { EntryRow, JoinStore } from './store.ts';

export interface ApprovalsOptions {
  creditStore: CreditStore;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  /** Whether email can be sent. */
  isOpen: boolean;
}

export interface ApprovalDeps extends ApprovalsOptions {
  store: JoinStore;
  batches: BatchStore;
  ranking: RankingStore;
  mails: WaitlistMails;
  queues: Queues;
}

const pageSize = 100;

const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'comms.recipient_invalid';

/**
 * Defines the job that sends the invitations of a batch. After a crash it goes on where it was; a
 * repeated job sends those that Redis was away for.
 */
function defineInvitations({ batches, mails, queues, clock }: ApprovalDeps) {
  const job = queues.defineJob({
    name: 'waitlist-invitations',
    schema: z.strictObject({ batch: z.uuid().nullable() }),
    options: { attempts: 5, every: { ms: 10 * minuteMs, payload: { batch: null } } },
    async process({ batch }) {
      for (
        let page = await batches.uninvited(batch, pageSize);
        page.length > 0;
        page = await batches.uninvited(batch, pageSize)
      ) {
        const results = await Promise.allSettled(
          page.map((row) => mails.sendInvitation(row, row.approved_at?.getTime() ?? 0)),
        );
        // An address that no message can be sent to must not keep the others waiting.
        const isDone = (result: PromiseSettledResult<unknown> | undefined): boolean =>
          result?.status === 'fulfilled' || isUnreachable(result?.reason);
        await batches.setInvited(
          page.filter((_row, at) => isDone(results[at])).map(({ id }) => id),
          new Date(clock.now()),
        );
        for (const result of results)
          if (result.status === 'rejected' && !isDone(result)) throw result.reason;
      }
    },
  });
  return (batch: string) => job.add({ batch }, { id: batch });
}

const approvable = ['verified', 'denied'] as const;
const deniable = ['pending', 'verified', 'approved'] as const;

const toBatchView = ({
  created_at: created,
  ...batch
}: {
  id: string;
  size: number;
  left_out: number;
  invited: number;
  created_at: Date;
}): BatchView => ({
  ...batch,
  done: batch.invited >= batch.size,
  created_at: created.toISOString(),
});

/** Entries that were never verified can't be approved, even if they were denied. */
function requireVerified(row: EntryRow | undefined): void {
  if (row === undefined) throw waitlistErrors.entry_not_found();
  if (row.verified_at === null) throw waitlistErrors.not_verified();
  if (row.status === 'joined') throw waitlistErrors.already_joined();
}

interface Chosen {
  rows: EntryRow[];
  /** How many were left out, because their mailbox is disposable. */
  leftOut: number;
}
type Choose = (within: Database, batch: string, now: Date) => Promise<Chosen>;

/** The people with these ids whose status allows it. */
const chosenOf =
  (ids: readonly string[], { withDisposable }: { withDisposable: boolean }): Choose =>
  async (within, batch, now) => {
    const leftOut = withDisposable
      ? 0
      : await entryStore.countDisposable(within, { ids, from: approvable });
    const decision = { ids, from: approvable, now, batch, withDisposable };
    return { rows: await entryStore.approve(within, decision), leftOut };
  };

/** The people who are next. */
const nextOf =
  (count: number): Choose =>
  async (within, batch, now) => ({
    leftOut: await entryStore.countDisposable(within, { from: ['verified'] }),
    rows: await entryStore.approveNext(within, { count, batch, now }),
  });

function createApproving(deps: ApprovalDeps) {
  const { creditStore, batches, store, audit, clock, isOpen } = deps;
  const queueInvitations = defineInvitations(deps);

  async function record(within: Database, rows: readonly EntryRow[], by: RequestActor) {
    await audit.recordIn(
      within,
      rows.map((row) => ({
        ...by,
        action: 'waitlist.entry_approved' as const,
        target: { kind: 'waitlist_entry', id: row.id },
      })),
    );
  }

  /** Approves the people of `choose` as a batch, and queues their invitations. */
  async function approveBatch(choose: Choose, by: RequestActor): Promise<BatchView> {
    if (!isOpen) throw waitlistErrors.email_not_configured();
    const now = new Date(clock.now());
    const id = uuidv7(now.getTime());
    const { size, leftOut } = await creditStore.change(async (transaction) => {
      const chosen = await choose(transaction, id, now);
      const counts = { size: chosen.rows.length, leftOut: chosen.leftOut };
      await batches.add(transaction, { id, ...counts, createdAt: now });
      if (counts.size > 0) await record(transaction, chosen.rows, by);
      return counts;
    });
    // Without Redis, the repeated job finds the batch. A 503 would be repeated for other people.
    if (size > 0) await queueInvitations(id).catch(() => undefined);
    return toBatchView({ id, size, left_out: leftOut, invited: 0, created_at: now });
  }

  return {
    /**
     * Approves several people: those who are next, or those with these ids whose status allows it;
     * nobody with a disposable mailbox, of whom machines bring as many as they like. Invitations
     * are sent by a job. Throws `waitlist.email_not_configured`.
     */
    approveMany: (body: ApproveBody, by: RequestActor): Promise<BatchView> =>
      approveBatch(
        'next' in body ? nextOf(body.next) : chosenOf(body.ids, { withDisposable: false }),
        by,
      ),

    /**
     * Approves one person. Approving them again has no effect. Throws `waitlist.entry_not_found`,
     * `.not_verified`, `.already_joined` and `.email_not_configured`.
     */
    async approve(id: string, by: RequestActor): Promise<void> {
      const row = await store.find(id);
      requireVerified(row);
      if (row?.status !== 'approved')
        await approveBatch(chosenOf([id], { withDisposable: true }), by);
    },
  };
}

function createDenying({ creditStore, store, audit, clock }: ApprovalDeps) {
  async function requireDeniable(id: string): Promise<void> {
    const row = await store.find(id);
    if (row === undefined) throw waitlistErrors.entry_not_found();
    if (row.status === 'joined') throw waitlistErrors.already_joined();
  }

  return {
    /**
     * Denies people, and withdraws the credit for referring them. Returns how many were denied now.
     * With a single id, throws `waitlist.entry_not_found` and `.already_joined`.
     */
    async deny(ids: readonly string[], by: RequestActor): Promise<number> {
      const [only] = ids;
      if (ids.length === 1 && only !== undefined) await requireDeniable(only);
      return creditStore.change(async (transaction) => {
        const now = new Date(clock.now());
        const rows = await entryStore.deny(transaction, { ids, from: deniable, now });
        if (rows.length === 0) return 0;
        await creditStore.recountReferrersOf(transaction, rows);
        await audit.recordIn(
          transaction,
          rows.map((row) => ({
            ...by,
            action: 'waitlist.entry_denied' as const,
            target: { kind: 'waitlist_entry', id: row.id },
          })),
        );
        return rows.length;
      });
    },
  };
}

function createBatchReading({ batches }: ApprovalDeps) {
  return {
    /** A batch and the progress of its invitations. Throws `waitlist.batch_not_found`. */
    async batch(id: string): Promise<BatchView> {
      const found = await batches.find(id);
      if (found === undefined) throw waitlistErrors.batch_not_found();
      return toBatchView(found);
    },

    /** The newest batch. */
    async newestBatch(): Promise<BatchView | undefined> {
      const id = await batches.newest();
      const found = id === undefined ? undefined : await batches.find(id);
      return found === undefined ? undefined : toBatchView(found);
    },
  };
}

/** What admins decide about people on the waitlist. */
export function createApprovals(deps: ApprovalDeps) {
  const { creditStore, ranking, audit } = deps;

  return {
    ...createApproving(deps),
    ...createDenying(deps),
    ...createBatchReading(deps),

    /** The people who are next. */
    next: (limit: number) => ranking.next(limit),

    async figures(): Promise<FiguresView> {
      const [entries, referrals] = await Promise.all([
        ranking.countByStatus(),
        ranking.countCredits(),
      ]);
      const all = Object.values(entries).reduce((sum, count) => sum + count, 0);
      const verified = all - entries.pending;
      return { entries, verified_share: all === 0 ? null : verified / all, referrals };
    },

    /** Computes every score again. Returns how many were wrong. */
    async rebuild(by: RequestActor): Promise<number> {
      const corrected = await creditStore.rebuild();
      await creditStore.change((transaction) =>
        audit.recordIn(transaction, [
          { ...by, action: 'waitlist.rebuilt', details: { corrected } },
        ]),
      );
      return corrected;
    },
  };
}

export type Approvals = ReturnType<typeof createApprovals>;
