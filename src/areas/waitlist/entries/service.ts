import { emailIdentity } from '../../../lib/identifiers.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { mailboxOf } from '../../../lib/mailbox.ts';
import { createBatcher } from '../../../platform/database/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { Entry, ResourceService } from '../../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../platform/resource/table-service.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { WaitlistParts } from '../compose.ts';
import { waitlistErrors } from '../errors.ts';
import type { JoinJob } from '../jobs.ts';
import { newReferralCode } from '../referral-codes.ts';
import type { EntryRow } from '../store.ts';
import type { Credit, EntryStatus } from '../tables.ts';
import type { Approvals } from './approvals.ts';
import { waitlistEntries } from './resource.ts';
import { type EntryBody, type EntryChangeBody, EntryView } from './schemas.ts';
import { entryStore, type NewEntry } from './store.ts';

interface Addition {
  entry: NewEntry;
  by: RequestActor;
}

interface Added {
  id: string;
  by: RequestActor;
}

const toView = (row: Readonly<Record<string, unknown>>): EntryView =>
  EntryView.parse(viewFromRow(waitlistEntries, row));

/** The columns that a change sets, as far as they are the entry's own. */
const columnsOf = ({ name, metadata }: EntryChangeBody, updated_at: Date) => ({
  ...(name === undefined ? {} : { name }),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
  updated_at,
});

/** The entries of the waitlist, for admins: the service of the resource. */
export function createEntries(
  parts: WaitlistParts,
  {
    joinJob,
    approvals,
  }: { joinJob: Pick<JoinJob, 'queueLinks'>; approvals: Pick<Approvals, 'approve' | 'deny'> },
): Required<Omit<ResourceService<EntryView & Entry, EntryBody, EntryChangeBody>, 'check'>> {
  const { db, clock, keys, audit, creditStore, store, channels, isDisposable } = parts;
  const { list, get } = createTableService(waitlistEntries, {
    db,
    clock,
    keys,
    audit,
    actions: {},
    table: 'waitlist_entries',
    kind: 'waitlist_entry',
    searched: ['email', 'name'],
    toView,
  });
  // Entries that are added in one turn of the event loop share a transaction, in their order.
  const additions = createBatcher(insertAll);
  const links = createBatcher(queueLinks);
  let lastAt = 0;

  return { list, get, create, update, delete: remove };

  async function create(body: EntryBody, by: RequestActor): Promise<EntryView> {
    const row = await additions.add({ entry: await newEntry(body), by });
    if (row === undefined) throw waitlistErrors.entry_exists();
    if (row.status === 'pending') await links.add({ id: row.id, by });
    return toView(row);
  }

  async function update(id: string, body: EntryChangeBody, by: RequestActor): Promise<EntryView> {
    const { status, credit, ...own } = body;
    const row = await creditStore.change(async (transaction) => {
      const columns = columnsOf(own, new Date(clock.now()));
      const stored = await entryStore.update(transaction, id, columns);
      if (stored === undefined) throw waitlistErrors.entry_not_found();
      if (credit !== undefined) await overrideCredit(transaction, stored, credit);
      const target = { kind: 'waitlist_entry', id };
      const details = { changed: Object.keys(body) };
      await audit.recordIn(transaction, [
        { ...by, action: 'waitlist.entry_changed', target, details },
      ]);
      return stored;
    });
    if (status !== undefined) await decide(row, status, by);
    return get(id);
  }

  /** Deletes an entry, and withdraws the credit for referring it. */
  function remove(id: string, by: RequestActor): Promise<void> {
    return creditStore.change(async (transaction) => {
      const row = await store.delete(transaction, id);
      if (row === undefined) throw waitlistErrors.entry_not_found();
      await creditStore.recountReferrersOf(transaction, [row]);
      await record(transaction, 'waitlist.entry_deleted', [{ id, by }]);
    });
  }

  async function newEntry({ email: given, name, verified_because: because }: EntryBody) {
    const email = emailIdentity(given)?.key;
    if (email === undefined) throw new TypeError('the schema accepts only email addresses');
    if (because === undefined && !channels.email) throw waitlistErrors.email_not_configured();
    const disposable = await isDisposable(email);
    // A millisecond apart, so that people keep the order of the file that they come from.
    lastAt = Math.max(clock.now(), lastAt + 1);
    const createdAt = new Date(lastAt);
    return {
      id: uuidv7(lastAt),
      email,
      mailbox: mailboxOf(email),
      name: name ?? null,
      isDisposable: disposable,
      referralCode: newReferralCode(),
      createdAt,
      verified: because === undefined ? undefined : { at: createdAt, because },
    };
  }

  function insertAll(batch: readonly Addition[]) {
    return creditStore.change(async (transaction) => {
      const rows = await entryStore.insert(
        transaction,
        batch.map(({ entry }) => entry),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      const added = batch.flatMap(({ entry: { id }, by }) => (byId.has(id) ? [{ id, by }] : []));
      if (added.length > 0) await record(transaction, 'waitlist.entry_added', added);
      return batch.map(({ entry }) => byId.get(entry.id));
    });
  }

  /** Queues links. If that fails, the entries are deleted, so that they can be added again. */
  async function queueLinks(added: readonly Added[]): Promise<string[]> {
    const ids = added.map(({ id }) => id);
    await joinJob.queueLinks(ids).catch(async (error: unknown) => {
      await creditStore.change(async (transaction) => {
        await entryStore.withdraw(transaction, ids);
        await record(transaction, 'waitlist.entry_deleted', added);
      });
      throw error;
    });
    return ids;
  }

  /** Overrules the rules about the credit for referring an entry. */
  async function overrideCredit(within: Database, row: EntryRow, credit: Credit): Promise<void> {
    if (row.credit === credit) return;
    const isDecision = credit === 'granted' || credit === 'withheld';
    if (!isDecision || row.referred_by === null || row.verified_at === null)
      throw waitlistErrors.credit_fixed();
    const reasons = credit === 'granted' ? [] : ['withheld_by_admin'];
    await creditStore.setCredit(within, row.id, { credit, reasons });
    await creditStore.recountReferrersOf(within, [row]);
  }

  async function decide(row: EntryRow, status: EntryStatus, by: RequestActor): Promise<void> {
    if (status === row.status) return;
    if (status === 'approved') await approvals.approve(row.id, by);
    else if (status === 'denied') await approvals.deny([row.id], by);
    else throw waitlistErrors.status_fixed();
  }

  async function record(within: Database, action: AuditAction, entries: readonly Added[]) {
    await audit.recordIn(
      within,
      entries.map(({ id, by }) => ({ ...by, action, target: { kind: 'waitlist_entry', id } })),
    );
  }
}
