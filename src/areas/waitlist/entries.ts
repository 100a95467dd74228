import { emailIdentity } from '../../lib/identifiers.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createBatching } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import type { Entry, ResourceService } from '../../platform/resource/resource.ts';
import { createTableService } from '../../platform/resource/table-service.ts';
import type { Approvals, ApprovalsOptions } from './approvals.ts';
import { entryStore, type NewEntry } from './entry-store.ts';
import { waitlistErrors } from './errors.ts';
import type { JoinJob } from './jobs.ts';
import { mailboxOf } from '../../lib/mailbox.ts';
import { newReferralCode } from './referral-codes.ts';
import { waitlistEntries } from './resource.ts';
import type { EntryBody, EntryChangeBody, EntryView } from './schemas.entries.ts';
import type { EntryRow, JoinStore } from './store.ts';
import type { Credit, EntryStatus } from './tables.ts';
import { toEntryView } from './views.ts';

export interface EntriesOptions extends ApprovalsOptions {
  db: Database;
  keys: Keys;
  store: JoinStore;
  job: Pick<JoinJob, 'queueLinks'>;
  approvals: Pick<Approvals, 'approve' | 'deny'>;
  isDisposable: (email: string) => Promise<boolean>;
}

interface Addition {
  entry: NewEntry;
  by: RequestActor;
}

const target = (id: string) => ({ kind: 'waitlist_entry', id });

interface Added {
  id: string;
  by: RequestActor;
}

/** Deletes entries whose links can't be sent: the admin can add them again. */
const withdraw = (
  { creditStore, audit }: Pick<EntriesOptions, 'creditStore' | 'audit'>,
  added: readonly Added[],
): Promise<void> =>
  creditStore.change(async (transaction) => {
    const ids = added.map(({ id }) => id);
    await entryStore.withdraw(transaction, ids);
    await audit.recordIn(
      transaction,
      added.map(({ id, by }) => ({
        ...by,
        action: 'waitlist.entry_deleted' as const,
        target: target(id),
      })),
    );
  });

/** Sends links to people whom an admin has added, those of one turn of the event loop together. */
const createLinks = (options: EntriesOptions) =>
  createBatching(async (added: readonly Added[]) => {
    const ids = added.map(({ id }) => id);
    await options.job.queueLinks(ids).catch(async (error: unknown) => {
      await withdraw(options, added);
      throw error;
    });
    return ids;
  });

/** Adds entries; those added in one turn of the event loop share a transaction, in their order. */
function createAdding(options: EntriesOptions) {
  const { creditStore, audit, clock, isDisposable, isOpen } = options;
  let last = 0;

  const additions = createBatching((batch: readonly Addition[]) =>
    creditStore.change(async (transaction) => {
      const rows = await entryStore.insert(
        transaction,
        batch.map(({ entry }) => entry),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      const added = batch.filter(({ entry }) => byId.has(entry.id));
      if (added.length > 0)
        await audit.recordIn(
          transaction,
          added.map(({ entry: { id }, by }) => ({
            ...by,
            action: 'waitlist.entry_added' as const,
            target: target(id),
          })),
        );
      return batch.map(({ entry }) => byId.get(entry.id));
    }),
  );
  const links = createLinks(options);

  async function newEntry({ email: given, name, verified_because: because }: EntryBody) {
    const email = emailIdentity(given)?.key;
    if (email === undefined) throw new TypeError('the schema accepts only email addresses');
    if (because === undefined && !isOpen) throw waitlistErrors.email_not_configured();
    const disposable = await isDisposable(email);
    // A millisecond apart, so that people keep the order of the file that they come from.
    last = Math.max(clock.now(), last + 1);
    const createdAt = new Date(last);
    return {
      id: uuidv7(last),
      email,
      mailbox: mailboxOf(email),
      name: name ?? null,
      isDisposable: disposable,
      referralCode: newReferralCode(),
      createdAt,
      verified: because === undefined ? undefined : { at: createdAt, because },
    };
  }

  return async (body: EntryBody, by: RequestActor): Promise<EntryRow> => {
    const entry = await newEntry(body);
    const row = await additions.add({ entry, by });
    if (row === undefined) throw waitlistErrors.entry_exists();
    if (row.status === 'pending') await links.add({ id: row.id, by });
    return row;
  };
}

/** The columns that a change sets, as far as they are the entry's own. */
const columnsOf = ({ name, metadata }: EntryChangeBody, updated_at: Date) => ({
  ...(name === undefined ? {} : { name }),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
  updated_at,
});

/** Overrules the rules about the credit for referring an entry. */
async function overrule(
  { creditStore }: EntriesOptions,
  within: Database,
  { row, credit }: { row: EntryRow; credit: Credit },
): Promise<void> {
  if (row.credit === credit) return;
  const isDecision = credit === 'granted' || credit === 'withheld';
  if (!isDecision || row.referred_by === null || row.verified_at === null)
    throw waitlistErrors.credit_fixed();
  const reasons = credit === 'granted' ? [] : ['withheld_by_admin'];
  await creditStore.setCredit(within, row.id, { credit, reasons });
  await creditStore.recountReferrersOf(within, [row]);
}

function createChanging(options: EntriesOptions) {
  const { creditStore, audit, clock, approvals } = options;

  async function decide(row: EntryRow, status: EntryStatus, by: RequestActor): Promise<void> {
    if (status === row.status) return;
    if (status === 'approved') await approvals.approve(row.id, by);
    else if (status === 'denied') await approvals.deny([row.id], by);
    else throw waitlistErrors.status_fixed();
  }

  return async (id: string, body: EntryChangeBody, by: RequestActor): Promise<void> => {
    const { status, credit, ...own } = body;
    const row = await creditStore.change(async (transaction) => {
      const columns = columnsOf(own, new Date(clock.now()));
      const stored = await entryStore.update(transaction, id, columns);
      if (stored === undefined) throw waitlistErrors.entry_not_found();
      if (credit !== undefined) await overrule(options, transaction, { row: stored, credit });
      const details = { changed: Object.keys(body) };
      await audit.recordIn(transaction, [
        { ...by, action: 'waitlist.entry_changed', target: target(id), details },
      ]);
      return stored;
    });
    if (status !== undefined) await decide(row, status, by);
  };
}

/** The entries of the waitlist, for admins: the service of the resource. */
export function createEntries(
  options: EntriesOptions,
): Required<Omit<ResourceService<EntryView & Entry, EntryBody, EntryChangeBody>, 'check'>> {
  const { db, clock, keys, audit, creditStore, store } = options;
  const table = createTableService(waitlistEntries, {
    db,
    clock,
    keys,
    audit,
    actions: {},
    table: 'waitlist_entries',
    kind: 'waitlist_entry',
    searched: ['email', 'name'],
    toView: toEntryView,
  });
  const add = createAdding(options);
  const change = createChanging(options);

  return {
    list: table.list,
    get: table.get,
    create: async (body, by) => toEntryView({ ...(await add(body, by)) }),

    async update(id, body, by) {
      await change(id, body, by);
      return table.get(id);
    },

    /** Deletes an entry, and withdraws the credit for referring it. */
    async delete(id, by) {
      await creditStore.change(async (transaction) => {
        const row = await store.delete(transaction, id);
        if (row === undefined) throw waitlistErrors.entry_not_found();
        await creditStore.recountReferrersOf(transaction, [row]);
        await audit.recordIn(transaction, [
          { ...by, action: 'waitlist.entry_deleted', target: target(id) },
        ]);
      });
    },
  };
}
