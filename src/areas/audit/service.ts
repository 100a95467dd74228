import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { createOrderedIds } from '../../lib/ids.ts';
import { pageById } from '../../lib/keyset-page.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import { createBatcher } from '../../platform/database/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import {
  actionsMatching,
  type AuditAction,
  type AuditActorKind,
  type AuditOutcome,
} from './actions.ts';
import type { AuditEventView, AuditListQuery, AuditPage } from './schemas.ts';
import type { AuditFilter, AuditRow, AuditStore, NewAuditRow } from './store.ts';

export interface AuditEntry {
  action: AuditAction;
  /** Default: `success`. */
  outcome?: AuditOutcome | undefined;
  /** A code such as `otp.invalid`. */
  reason?: string | undefined;
  actor: { kind: AuditActorKind; id?: string | undefined };
  target?: { kind: string; id: string } | undefined;
  /** The client's IP address. Other values are not stored. */
  address?: string | undefined;
  requestId?: string | undefined;
  /** JSON values, never a secret. */
  details?: Readonly<Record<string, unknown>> | undefined;
}

/** The actor and origin of a request, shared by all of its entries. */
export interface AuditActor extends Partial<RequestSource> {
  actor: AuditEntry['actor'];
  /** When the acting user last authenticated, Unix ms. It is not stored. */
  authTime?: number | undefined;
}

const maxTextLength = 256;
const Details = z.record(z.string(), z.unknown());

/** Makes client input storable: indexes reject long texts. */
const storable = (text: string): string => storableText(text.slice(0, maxTextLength));

const textOrNull = (text: string | undefined) => (text === undefined ? null : storable(text));
const storableValue = (_key: string, value: unknown) =>
  typeof value === 'string' ? storable(value) : value;
const ms = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

function toRow(
  {
    action,
    outcome = 'success',
    reason,
    actor,
    target,
    address,
    requestId,
    details = {},
  }: AuditEntry,
  { id, now }: { id: string; now: number },
): NewAuditRow {
  return {
    id,
    at: new Date(now),
    action,
    outcome,
    reason: textOrNull(reason),
    actor_kind: actor.kind,
    actor_id: textOrNull(actor.id),
    target_kind: textOrNull(target?.kind),
    target_id: textOrNull(target?.id),
    address: address !== undefined && isIP(address) !== 0 ? address : null,
    request_id: textOrNull(requestId),
    details: JSON.stringify(details, storableValue),
  };
}

function toView(row: AuditRow): AuditEventView {
  const { target_kind: kind, target_id: id } = row;
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    reason: row.reason,
    actor: { kind: row.actor_kind, id: row.actor_id },
    target: kind === null || id === null ? null : { kind, id },
    address: row.address,
    request_id: row.request_id,
    details: Details.parse(row.details),
  };
}

/** The fields of an entry that may be logged: no personal data. */
function loggable({ action, outcome = 'success', actor, target, requestId }: AuditEntry) {
  return {
    action,
    outcome,
    actor_kind: actor.kind,
    actor_id: actor.id,
    target_kind: target?.kind,
    target_id: target?.id,
    request_id: requestId,
  };
}

export interface AuditDeps {
  store: Pick<AuditStore, 'insert' | 'insertIn' | 'list' | 'find'>;
  clock: Clock;
  logger: Logger;
}

/** What a list is asked for; besides what clients may ask, some actions, and a person's events. */
export interface AuditSelection extends AuditListQuery {
  /** Any of these. Replaces `action`. */
  actions?: readonly string[] | undefined;
  /** Events that somebody with one of these ids did, or that were done to them. */
  personIds?: readonly string[] | undefined;
}

async function listEvents(
  { store }: AuditDeps,
  {
    action,
    actions,
    actor_id,
    target_id,
    personIds,
    outcome,
    since,
    until,
    limit,
    cursor,
  }: AuditSelection,
  signal?: AbortSignal,
): Promise<AuditPage> {
  const filter: AuditFilter = {
    actions: actions ?? (action === undefined ? undefined : actionsMatching(action)),
    actorId: actor_id === undefined ? undefined : storable(actor_id),
    targetId: target_id === undefined ? undefined : storable(target_id),
    personIds,
    outcome,
    since: ms(since),
    until: ms(until),
    after: cursor,
  };
  return pageById((await store.list(limit + 1, filter, signal)).map(toView), limit);
}

/** The audit log. Entries are kept for 400 days. */
export function createAudit(deps: AuditDeps) {
  const { store, clock, logger } = deps;
  const idOf = createOrderedIds();
  const rowOf = (entry: AuditEntry): NewAuditRow => {
    const now = clock.now();
    return toRow(entry, { id: idOf(now), now });
  };
  const inserts = createBatcher(async (rows: readonly NewAuditRow[]) => {
    await store.insert(rows);
    return rows;
  });

  async function tryInsert(
    entry: AuditEntry,
    insert: (row: NewAuditRow) => Promise<unknown>,
  ): Promise<void> {
    try {
      await insert(rowOf(entry));
    } catch (error) {
      logger.error({ err: error, audit: loggable(entry) }, 'an audit event was not kept');
    }
  }

  return {
    /**
     * Stores an entry. Never rejects, because the recorded action has already happened: while the
     * database is unavailable, the entry is logged without address and details. Texts are truncated
     * to 256 characters.
     */
    record: (entry: AuditEntry): Promise<void> => tryInsert(entry, inserts.add),

    /** Stores entries in the transaction of the recorded change. Rejects with the store's error. */
    recordIn: (transaction: Database, entries: readonly AuditEntry[]): Promise<unknown> =>
      store.insertIn(transaction, entries.map(rowOf)),

    /** Like `record`, but not awaited: entries are batched for 20 ms. */
    note: (entry: AuditEntry): void => void tryInsert(entry, inserts.addLater),

    /** Resolves when all entries are stored. */
    settled: inserts.settled,

    /** A page of events, newest first. `cursor` is the `next_cursor` of the previous page. */
    list: (query: AuditSelection, signal?: AbortSignal): Promise<AuditPage> =>
      listEvents(deps, query, signal),

    /** The nearest `count` events after and before one, of those that match. Newest first. */
    async around(
      id: string,
      given: { actor_id?: string; target_id?: string; count: number },
    ): Promise<AuditEventView[]> {
      const { actor_id: actorId, target_id: targetId, count } = given;
      const filter = { actorId, targetId };
      const [newer, older] = await Promise.all([
        store.list(count, { ...filter, newerThan: id }),
        store.list(count, { ...filter, after: id }),
      ]);
      return [...newer.toReversed(), ...older].map(toView);
    },

    /** An event. Undefined if there is none, or if it was kept for long enough. */
    async find(id: string): Promise<AuditEventView | undefined> {
      const row = await store.find(id);
      return row === undefined ? undefined : toView(row);
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;
