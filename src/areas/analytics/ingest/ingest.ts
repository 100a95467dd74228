import type { Clock } from '../../../lib/clock.ts';
import { timeMs } from '../../../lib/timestamps.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { Journal } from '../../../platform/journal/journal.ts';
import { analyticsErrors } from '../errors.ts';
import { registrationsPerDay } from '../sites/registration-limit.ts';
import type { Sites } from '../sites/sites.ts';
import type { Admission } from './admission/admission.ts';
import { parseEvents, type ParsedEvent } from './admission/event-parsing.ts';
import {
  type CollectedEvents,
  collectEvent,
  type CollectingDeps,
  collectInvalid,
  type IngestOutcome,
  noEvents,
  lookUpSiteId,
} from './collected-events.ts';
import { createDuplicateFilter } from './duplicates/duplicate-filter.ts';
import type { RecentIds } from './duplicates/recent-ids.ts';
import { encodeRecord, type JournalEvent } from '../store/journal-record.ts';
import type { DropCounters } from './limits/drop-counters.ts';
import type { StorageBudget } from './limits/storage-budget.ts';
import { createStorageLimits } from './limits/storage-limits.ts';
import type { RequestContext } from './request-context.ts';
import type { EventInput } from './schemas.ts';

export interface IngestDeps {
  journal: Journal;
  sites: Sites;
  admission: Admission;
  recentIds: Pick<RecentIds, 'ids' | 'isLoaded' | 'isLoadedWithin'>;
  drops: DropCounters;
  budget: StorageBudget;
  clock: Clock;
  /** Called with events once they are durable. */
  onStored: (events: readonly JournalEvent[], userAgent: string) => void;
}

type Parts = IngestDeps & CollectingDeps;

/** How long an event with a client-chosen id waits for the recent ids to load after a start. */
const idsTimeoutMs = 1500;
const retryAfter = { 'retry-after': '5' };

const clockSkew = (sentAt: string | number | undefined, receivedAt: number): number => {
  if (sentAt === undefined) return 0;
  return receivedAt - timeMs(sentAt);
};

/**
 * Replaces lone surrogates (`\ud800`) in JSON by U+FFFD, as UTF-8 encoding would. Otherwise two
 * distinct property names could become the same name in the store.
 */
function toWellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (escape) =>
    escape === '\\\\' ? escape : '\ufffd',
  );
}

/** Returns the address whose site registrations are limited; undefined for trusted requests. */
const registrantIp = ({ isTrusted, ip }: RequestContext): string | undefined =>
  isTrusted ? undefined : ip;

function toIngestError(cause: unknown): Error {
  if (cause instanceof AppError) return cause;
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  const isBehind = code === 'backlog' || code === 'overloaded';
  const error = isBehind ? analyticsErrors.backlog : analyticsErrors.not_durable;
  return error({ cause, headers: retryAfter });
}

function append(
  { journal, limits }: Parts,
  events: JournalEvent[],
  request: RequestContext,
  mayLinger: boolean,
): Promise<unknown> {
  const { receivedAt: r, userAgent: a } = request;
  const json = toWellFormed(encodeRecord({ kind: 'events', r, a, e: events }));
  limits.charge(json, events, request);
  return journal.append(json, { mayLinger });
}

/** Makes the collected events durable. On failure, forgets their ids, so that retries succeed. */
function store(
  parts: Parts,
  collected: CollectedEvents,
  request: RequestContext,
  mayLinger = false,
): Promise<CollectedEvents> {
  const { journal, duplicates, onStored } = parts;
  const { events, repeated } = collected;
  if (events.length === 0 && repeated.length === 0) return Promise.resolve(collected);
  const durable = events.length === 0 ? journal.sync() : append(parts, events, request, mayLinger);
  return durable.then(
    () => {
      // The request that first sent them may have failed in the meantime.
      if (!repeated.every(duplicates.isKnown))
        throw analyticsErrors.not_durable({ headers: retryAfter });
      onStored(events, request.userAgent);
      return collected;
    },
    (cause: unknown) => {
      duplicates.forget(events);
      throw toIngestError(cause);
    },
  );
}

async function waitForIds({ recentIds }: Parts): Promise<void> {
  if (!(await recentIds.isLoadedWithin(idsTimeoutMs)))
    throw analyticsErrors.ids_loading({ headers: retryAfter });
}

/** Whether an event can be collected synchronously, as nearly all can. */
const isReady = ({ recentIds, sites }: Parts, { id, site_id: key }: EventInput): boolean =>
  (id === undefined || recentIds.isLoaded()) && sites.peek(key) !== undefined;

/** Waits for the recent ids to load, and registers the site if it is new. */
async function prepare(parts: Parts, input: EventInput, context: RequestContext): Promise<void> {
  if (input.id !== undefined) await waitForIds(parts);
  await parts.sites.get(input.site_id, registrantIp(context));
}

function collectOne(parts: Parts, input: EventInput, context: RequestContext): CollectedEvents {
  const collected = noEvents();
  collectEvent(collected, parts, 0, input, context);
  return collected;
}

async function track(
  parts: Parts,
  input: EventInput,
  context: RequestContext,
): Promise<IngestOutcome> {
  parts.limits.checkAddress(context, 1);
  if (!isReady(parts, input)) await prepare(parts, input, context);
  const collected = collectOne(parts, input, context);
  parts.limits.checkSites(collected.rejected, 1);
  return store(parts, collected, context);
}

/** Returns why the event does not count; undefined if it does. Does not await the write. */
function trackNow(parts: Parts, input: EventInput, context: RequestContext): string | undefined {
  const collected = collectOne(parts, input, context);
  store(parts, collected, context, true).catch(() =>
    parts.drops.count(lookUpSiteId(parts.sites, input.site_id), 'not_durable'),
  );
  return collected.rejected[0]?.code ?? (collected.duplicates > 0 ? 'duplicate' : undefined);
}

/** Registers new sites. All I/O must happen before the first id is recorded. */
async function registerSites(
  { sites }: Parts,
  parsed: readonly ParsedEvent[],
  context: RequestContext,
): Promise<void> {
  const unknown = new Set<string>();
  for (const result of parsed) {
    const key = result?.data?.site_id;
    if (key !== undefined && sites.peek(key) === undefined) unknown.add(key);
  }
  if (unknown.size === 0) return;
  const keys = context.isTrusted ? [...unknown] : [...unknown].slice(0, registrationsPerDay);
  await Promise.all(keys.map((key) => sites.get(key, registrantIp(context))));
}

async function trackBatch(
  parts: Parts,
  events: readonly unknown[],
  sentAt: string | number | undefined,
  context: RequestContext,
): Promise<IngestOutcome> {
  const { limits, recentIds } = parts;
  limits.checkAddress(context, events.length);
  const request = { ...context, clockSkewMs: clockSkew(sentAt, context.receivedAt) };
  const parsed = await parseEvents(events);
  if (!recentIds.isLoaded() && parsed.some((result) => result?.data?.id !== undefined))
    await waitForIds(parts);
  await registerSites(parts, parsed, context);
  const collected = noEvents();
  for (const [index, result] of parsed.entries()) {
    if (result?.success === true) collectEvent(collected, parts, index, result.data, request);
    else collectInvalid(collected, parts, index, events[index], result?.error);
  }
  limits.checkSites(collected.rejected, events.length);
  return store(parts, collected, context);
}

/** Writes events to the journal. An event is accepted only once it is durable. */
export function createIngest(deps: IngestDeps) {
  const { journal, sites, recentIds, drops, budget, clock } = deps;
  const limits = createStorageLimits({ budget, drops });
  const parts: Parts = { ...deps, limits, duplicates: createDuplicateFilter(recentIds.ids) };
  const countRejected = (key: unknown, reason: string): void =>
    drops.count(lookUpSiteId(sites, key), reason);

  return {
    /** Stores a valid event. Resolves when it is durable. */
    track: (input: EventInput, context: RequestContext): Promise<IngestOutcome> =>
      track(parts, input, context),

    /** Stores a valid event without awaiting the write. Returns the reason if it does not count. */
    trackWithoutWaiting(
      input: EventInput,
      context: RequestContext,
    ): string | undefined | Promise<string | undefined> {
      if (limits.isAddressSpent(context)) {
        countRejected(input.site_id, 'address_budget');
        return 'address_budget';
      }
      if (isReady(parts, input)) return trackNow(parts, input, context);
      return prepare(parts, input, context).then(
        () => trackNow(parts, input, context),
        () => {
          countRejected(input.site_id, 'unavailable');
          return 'unavailable';
        },
      );
    },

    /** Stores the valid events, and rejects the others. Resolves when they are durable. */
    trackBatch: (
      events: readonly unknown[],
      sentAt: string | number | undefined,
      context: RequestContext,
    ): Promise<IngestOutcome> => trackBatch(parts, events, sentAt, context),

    /** Counts an input that is not an event. `key`: its site key, not validated. */
    countRejected,

    /** Writes the drop counters to the journal. Call it every few seconds and before closing. */
    flushDrops: (): Promise<void> => drops.flush((record) => journal.append(encodeRecord(record))),

    now: (): number => clock.now(),
  };
}

export type Ingest = ReturnType<typeof createIngest>;
