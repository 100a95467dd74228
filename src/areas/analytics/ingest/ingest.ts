import { AppError } from '../../../platform/errors/errors.ts';
import { mapInSlices } from '../../../lib/concurrency/slices.ts';
import { timeMs } from '../../../lib/timestamps.ts';
import { analyticsErrors } from '../errors.ts';
import type { AnalyticsResources } from '../resources.ts';
import { registrationsPerDay } from '../sites/registration-limit.ts';
import { encodeRecord, type JournalEvent } from '../store/journal-record.ts';
import type { Admission } from './admission/admission.ts';
import { isTooLarge } from './admission/event-size.ts';
import {
  type CollectedEvents,
  createCollector,
  type IngestOutcome,
  lookUpSiteId,
  noEvents,
} from './collector.ts';
import { createDuplicateFilter } from './duplicates/duplicate-filter.ts';
import type { DropCounters } from './limits/drop-counters.ts';
import type { StorageBudget } from './limits/storage-budget.ts';
import type { RequestContext } from './request-context.ts';
import { EventInput } from './schemas.ts';

type ParsedEvent = ReturnType<typeof EventInput.safeParse> | undefined;

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

/** Validates events, yielding to the event loop. Results are undefined for oversized events. */
const parseEvents = (events: readonly unknown[]): Promise<ParsedEvent[]> =>
  mapInSlices(events, (raw) => (isTooLarge(raw) ? undefined : EventInput.safeParse(raw)));

interface IngestParts {
  admission: Admission;
  budget: StorageBudget;
  drops: DropCounters;
  /** Shows stored events on the live page. */
  publishLive: (events: readonly JournalEvent[], userAgent: string) => void;
}

/** Writes events to the journal. An event is accepted, and shown live, only once it is durable. */
export function createIngest(
  { pipeline: { journal, recentIds, backlog }, sites, clock }: AnalyticsResources,
  { admission, budget, drops, publishLive }: IngestParts,
) {
  const duplicates = createDuplicateFilter(recentIds.ids);
  const collector = createCollector({ sites, admission, duplicates, drops, budget });

  return {
    /** Stores a valid event. Resolves when it is durable. */
    async track(input: EventInput, context: RequestContext): Promise<IngestOutcome> {
      budget.checkAddress(context, 1);
      if (!isReady(input)) await prepare(input, context);
      const collected = collector.collect(input, context);
      budget.checkSites(collected.rejected, 1);
      return store(collected, context);
    },

    /** Stores a valid event without awaiting the write. Returns the reason if it does not count. */
    trackWithoutWaiting(
      input: EventInput,
      context: RequestContext,
    ): string | undefined | Promise<string | undefined> {
      if (budget.isAddressSpent(context)) {
        countRejected(input.site_id, 'address_budget');
        return 'address_budget';
      }
      if (isReady(input)) return trackNow(input, context);
      return prepare(input, context).then(
        () => trackNow(input, context),
        () => {
          countRejected(input.site_id, 'unavailable');
          return 'unavailable';
        },
      );
    },

    /** Stores the valid events, and rejects the others. Resolves when they are durable. */
    async trackBatch(
      events: readonly unknown[],
      sentAt: string | number | undefined,
      context: RequestContext,
    ): Promise<IngestOutcome> {
      budget.checkAddress(context, events.length);
      const request = { ...context, clockSkewMs: clockSkew(sentAt, context.receivedAt) };
      const parsed = await parseEvents(events);
      if (!recentIds.isLoaded() && parsed.some((result) => result?.data?.id !== undefined))
        await waitForIds();
      await registerSites(parsed, context);
      const collected = noEvents();
      for (const [index, result] of parsed.entries()) {
        if (result?.success === true) collector.add(collected, index, result.data, request);
        else collector.addInvalid(collected, index, events[index], result?.error);
      }
      budget.checkSites(collected.rejected, events.length);
      return store(collected, context);
    },

    countRejected,

    /** Writes the drop counters to the journal. Call it every few seconds and before closing. */
    flushDrops: (): Promise<void> => drops.flush((record) => journal.append(encodeRecord(record))),

    now: (): number => clock.now(),
  };

  /** Counts an input that is not an event. `key`: its site key, not validated. */
  function countRejected(key: unknown, reason: string): void {
    drops.count(lookUpSiteId(sites, key), reason);
  }

  /** Whether an event can be collected synchronously, as nearly all can. */
  function isReady({ id, site_id: key }: EventInput): boolean {
    return (id === undefined || recentIds.isLoaded()) && sites.peek(key) !== undefined;
  }

  /** Waits for the recent ids to load, and registers the site if it is new. */
  async function prepare(input: EventInput, context: RequestContext): Promise<void> {
    if (input.id !== undefined) await waitForIds();
    await sites.get(input.site_id, registrantIp(context));
  }

  async function waitForIds(): Promise<void> {
    if (!(await recentIds.isLoadedWithin(idsTimeoutMs)))
      throw analyticsErrors.ids_loading({ headers: retryAfter });
  }

  /** Registers new sites. All I/O must happen before the first id is recorded. */
  async function registerSites(
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

  /** Returns why the event does not count; undefined if it does. Does not await the write. */
  function trackNow(input: EventInput, context: RequestContext): string | undefined {
    const collected = collector.collect(input, context);
    store(collected, context, true).catch(() => countRejected(input.site_id, 'not_durable'));
    return collected.rejected[0]?.code ?? (collected.duplicates > 0 ? 'duplicate' : undefined);
  }

  /** Makes the collected events durable. On failure, forgets their ids, so that retries succeed. */
  function store(
    collected: CollectedEvents,
    request: RequestContext,
    mayLinger = false,
  ): Promise<CollectedEvents> {
    const { events, repeated } = collected;
    if (events.length === 0 && repeated.length === 0) return Promise.resolve(collected);
    const durable = events.length === 0 ? journal.sync() : append(events, request, mayLinger);
    return durable.then(
      () => {
        // The request that first sent them may have failed in the meantime.
        if (!repeated.every(duplicates.isKnown))
          throw analyticsErrors.not_durable({ headers: retryAfter });
        backlog.stored(events.length);
        publishLive(events, request.userAgent);
        return collected;
      },
      (cause: unknown) => {
        duplicates.forget(events);
        throw toIngestError(cause);
      },
    );
  }

  function append(
    events: JournalEvent[],
    request: RequestContext,
    mayLinger: boolean,
  ): Promise<unknown> {
    const { receivedAt: r, userAgent: a } = request;
    const json = toWellFormed(encodeRecord({ kind: 'events', r, a, e: events }));
    budget.charge(json, events, request);
    return journal.append(json, { mayLinger });
  }
}

export type Ingest = ReturnType<typeof createIngest>;
