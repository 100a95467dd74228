import { uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { WaitlistParts } from '../compose.ts';
import { waitlistErrors } from '../errors.ts';
import type { EntryRow } from '../store.ts';
import { defineInvitations } from './jobs.ts';
import type { ApproveBody, BatchView, FiguresView } from './schemas.ts';
import { type BatchRow, batchStore, entryStore } from './store.ts';

const approvable = ['verified', 'denied'] as const;
const deniable = ['pending', 'verified', 'approved'] as const;

const toBatchView = ({ created_at: created, ...batch }: BatchRow): BatchView => ({
  ...batch,
  done: batch.invited >= batch.size,
  created_at: created.toISOString(),
});

/** Approves people as a batch. */
type Approve = (
  within: Database,
  batch: { id: string; now: Date },
) => Promise<{
  rows: EntryRow[];
  /** How many were left out, because their mailbox is disposable. */
  leftOut: number;
}>;

/** Approves the people who are next. */
const approveNext =
  (count: number): Approve =>
  async (within, { id: batch, now }) => ({
    leftOut: await entryStore.countDisposable(within, { from: ['verified'] }),
    rows: await entryStore.approveNext(within, { count, batch, now }),
  });

/** Approves the people with these ids whose status allows it. */
const approveThese =
  (ids: readonly string[], withDisposable: boolean): Approve =>
  async (within, { id: batch, now }) => {
    const chosen = { ids, from: approvable };
    return {
      leftOut: withDisposable ? 0 : await entryStore.countDisposable(within, chosen),
      rows: await entryStore.approve(within, { ...chosen, now, batch, withDisposable }),
    };
  };

/** What admins decide about people on the waitlist. */
export function createApprovals(parts: WaitlistParts) {
  const { db, clock, store, creditStore, ranking, audit, channels } = parts;
  const queueInvitations = defineInvitations(parts);

  return {
    approveMany,
    approve,
    deny,
    getBatch,
    newestBatch,
    next: ranking.next,
    preview,
    placeOf,
    growth: (days: number) => ranking.growth(days, new Date(clock.now())),
    figures,
    rebuild,
  };

  /**
   * Approves several people: those who are next, or those with these ids whose status allows it;
   * nobody with a disposable mailbox, of whom machines bring as many as they like. Invitations
   * are sent by a job. Throws `waitlist.email_not_configured`.
   */
  function approveMany(body: ApproveBody, by: RequestActor): Promise<BatchView> {
    return approveBatch(
      'next' in body ? approveNext(body.next) : approveThese(body.ids, false),
      by,
    );
  }

  /**
   * Approves one person. Approving them again has no effect. Throws `waitlist.entry_not_found`,
   * `.not_verified`, `.already_joined` and `.email_not_configured`.
   */
  async function approve(id: string, by: RequestActor): Promise<void> {
    const row = await find(id);
    // Entries that were never verified can't be approved, even if they were denied.
    if (row.verified_at === null) throw waitlistErrors.not_verified();
    if (row.status === 'joined') throw waitlistErrors.already_joined();
    if (row.status !== 'approved') await approveBatch(approveThese([id], true), by);
  }

  /**
   * Denies people, and withdraws the credit for referring them. Returns how many were denied now.
   * With a single id, throws `waitlist.entry_not_found` and `.already_joined`.
   */
  async function deny(ids: readonly string[], by: RequestActor): Promise<number> {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined && (await find(only)).status === 'joined')
      throw waitlistErrors.already_joined();
    return creditStore.change(async (transaction) => {
      const now = new Date(clock.now());
      const rows = await entryStore.deny(transaction, { ids, from: deniable, now });
      if (rows.length === 0) return 0;
      await creditStore.recountReferrersOf(transaction, rows);
      await record(transaction, 'waitlist.entry_denied', rows, by);
      return rows.length;
    });
  }

  /** Who would be approved, and how many would be left out for a disposable mailbox. */
  async function preview(body: ApproveBody) {
    const chosen =
      'next' in body ? { from: ['verified'] as const } : { ids: body.ids, from: approvable };
    const [people, leftOut] = await Promise.all([
      'next' in body ? ranking.next(body.next) : ranking.chosen(body.ids),
      entryStore.countDisposable(db, chosen),
    ]);
    return { people, leftOut };
  }

  /** The place of a person who is invited in turn, from 1 on. Undefined for others. */
  async function placeOf(id: string): Promise<number | undefined> {
    const { status, score, verified_at: verifiedAt, is_disposable: isLeftOut } = await find(id);
    if (status !== 'verified' || verifiedAt === null || isLeftOut) return undefined;
    return 1 + (await ranking.countAhead({ score, verifiedAt, id }));
  }

  /** A batch and the progress of its invitations. Throws `waitlist.batch_not_found`. */
  async function getBatch(id: string): Promise<BatchView> {
    const found = await batchStore.find(db, id);
    if (found === undefined) throw waitlistErrors.batch_not_found();
    return toBatchView(found);
  }

  async function newestBatch(): Promise<BatchView | undefined> {
    const found = await batchStore.find(db);
    return found === undefined ? undefined : toBatchView(found);
  }

  async function figures(): Promise<FiguresView> {
    const [entries, referrals] = await Promise.all([
      ranking.countByStatus(),
      ranking.countCredits(),
    ]);
    const all = Object.values(entries).reduce((sum, count) => sum + count, 0);
    const verified = all - entries.pending;
    return { entries, verified_share: all === 0 ? null : verified / all, referrals };
  }

  /** Computes every score again. Returns how many were wrong. */
  async function rebuild(by: RequestActor): Promise<number> {
    const corrected = await creditStore.rebuild();
    await creditStore.change((transaction) =>
      audit.recordIn(transaction, [{ ...by, action: 'waitlist.rebuilt', details: { corrected } }]),
    );
    return corrected;
  }

  async function find(id: string): Promise<EntryRow> {
    const row = await store.find(id);
    if (row === undefined) throw waitlistErrors.entry_not_found();
    return row;
  }

  /** Approves people as a batch, and queues their invitations. */
  async function approveBatch(approvePeople: Approve, by: RequestActor): Promise<BatchView> {
    if (!channels.email) throw waitlistErrors.email_not_configured();
    const now = new Date(clock.now());
    const id = uuidv7(now.getTime());
    const batch = await creditStore.change(async (transaction) => {
      const { rows, leftOut } = await approvePeople(transaction, { id, now });
      const stored = { id, size: rows.length, left_out: leftOut, created_at: now };
      await batchStore.add(transaction, stored);
      if (rows.length > 0) await record(transaction, 'waitlist.entry_approved', rows, by);
      return stored;
    });
    // Without Redis, the repeated job finds the batch. A 503 would be repeated for other people.
    if (batch.size > 0) await queueInvitations(id).catch(() => undefined);
    return toBatchView({ ...batch, invited: 0 });
  }

  async function record(
    within: Database,
    action: AuditAction,
    rows: readonly EntryRow[],
    by: RequestActor,
  ): Promise<void> {
    await audit.recordIn(
      within,
      rows.map(({ id }) => ({ ...by, action, target: { kind: 'waitlist_entry', id } })),
    );
  }
}

export type Approvals = ReturnType<typeof createApprovals>;
