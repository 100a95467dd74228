import type { Clock } from '../../../lib/clock.ts';
import type { Journal } from '../../../platform/journal/journal.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { Admission, DroppedField, Rejection } from './admission/admission.ts';
import type { RequestContext } from './admission/client-cache.ts';
import type { DropCounters } from './limits/drop-counters.ts';
import { analyticsErrors } from '../errors.ts';
import { parseAll } from './admission/event-parsing.ts';
import { encodeRecord, type JournalEvent } from './journal-record.ts';
import type { EventInput } from './schemas.ts';
import {
  createDuplicateFilter,
  type Memory,
  onceRemembered,
} from './duplicates/duplicate-filter.ts';
import { registrationsPerDay } from '../sites/registration-limit.ts';
import type { Site, Sites } from '../sites/sites.ts';
import { createStorageLimits, siteSpent } from './limits/storage-limits.ts';
import type { StorageBudget } from './limits/storage-budget.ts';

export interface IngestOutcome {
  accepted: number;
  duplicates: number;
  rejected: (Rejection & { index: number; id?: string })[];
  dropped: (DroppedField & { index: number })[];
}

interface Collected extends IngestOutcome {
  events: JournalEvent[];
  /** Events that came before, perhaps only a moment ago: they may not be durable yet. */
  repeated: JournalEvent[];
}

export interface IngestDeps {
  journal: Journal;
  sites: Sites;
  admission: Admission;
  remembered: Memory;
  drops: DropCounters;
  budget: StorageBudget;
  clock: Clock;
  /** Told of events once they are on disk. */
  onStored: (events: readonly JournalEvent[], userAgent: string) => void;
}

const skewOf = (sentAt: string | number | undefined, receivedAt: number): number => {
  if (sentAt === undefined) return 0;
  return receivedAt - (typeof sentAt === 'number' ? sentAt : Date.parse(sentAt));
};

function invalid(error: {
  issues: readonly { path: PropertyKey[]; message: string }[];
}): Rejection {
  const issue = error.issues[0];
  const field = issue?.path.join('.');
  return {
    code: 'invalid',
    message: issue?.message ?? 'not an event',
    ...(field === undefined || field === '' ? {} : { field }),
  };
}

const unknownSite: Rejection = {
  code: 'unknown_site',
  message: 'this site_id is not registered and new ones are not taken',
  field: 'site_id',
};

const tooLarge: Rejection = {
  code: 'event_too_large',
  message: 'an event of a batch may have at most 32 KiB',
};

const retryAfter = { 'retry-after': '5' };

/**
 * JSON text in which half surrogates (`\ud800` by itself) have become U+FFFD, as they would in
 * UTF-8. Before that, two names of props could differ that are one name when they are stored.
 */
function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (escape) =>
    escape === '\\\\' ? escape : '\ufffd',
  );
}

/** The address that is asked about by name and counted; none for those who may write events. */
const strangerOf = ({ isTrusted: keyed, ip }: RequestContext): string | undefined =>
  keyed ? undefined : ip;

/** What an event that can't be taken says of itself. */
function namesOf(raw: unknown): { site?: unknown; id?: string } {
  if (typeof raw !== 'object' || raw === null) return {};
  const site = 'site_id' in raw ? { site: raw.site_id } : {};
  return 'id' in raw && typeof raw.id === 'string' ? { ...site, id: raw.id.slice(0, 64) } : site;
}

/** The way of an event into the journal. Nothing is answered as accepted before it is on disk. */
export function createIngest({
  journal,
  sites,
  admission,
  remembered,
  drops,
  budget,
  clock,
  onStored,
}: IngestDeps) {
  const seen = createDuplicateFilter(remembered.ids);
  const spending = createStorageLimits({ budget, drops });

  function reject(
    into: Collected,
    index: number,
    rejection: Rejection,
    siteId: number,
    id?: string,
  ): void {
    drops.count(siteId, rejection.code);
    into.rejected.push(id === undefined ? { index, ...rejection } : { index, id, ...rejection });
  }

  function take(
    into: Collected,
    index: number,
    input: EventInput,
    site: Site,
    request: RequestContext,
  ): void {
    const admitted = admission.admit(input, site, request);
    if ('code' in admitted) {
      reject(into, index, admitted, site.id, input.id);
    } else if (seen.isNew(admitted.event, request.receivedAt)) {
      into.events.push(admitted.event);
      into.accepted += 1;
      for (const omission of admitted.dropped) into.dropped.push({ index, ...omission });
    } else {
      into.duplicates += 1;
      into.repeated.push(admitted.event);
      drops.count(site.id, 'duplicate');
    }
  }

  function refuseForgotten(repeated: readonly JournalEvent[]): void {
    // The request that brought them first may have been refused in the meantime.
    if (!repeated.every(seen.isKnown)) throw analyticsErrors.not_durable({ headers: retryAfter });
  }

  /**
   * Makes the collected events durable, and gives them back; on failure none of them counts as
   * seen.
   */
  function store(
    collected: Collected,
    request: RequestContext,
    patient = false,
  ): Promise<Collected> {
    const { events, repeated } = collected;
    if (events.length === 0 && repeated.length === 0) return Promise.resolve(collected);
    const record = {
      kind: 'events',
      r: request.receivedAt,
      a: request.userAgent,
      e: events,
    } as const;
    const durable =
      events.length === 0
        ? journal.sync()
        : journal.append(spending.charged(wellFormed(encodeRecord(record)), events, request), {
            patient,
          });
    return durable.then(
      () => {
        refuseForgotten(repeated);
        onStored(events, request.userAgent);
        return collected;
      },
      (cause: unknown) => {
        seen.forget(events);
        throw refusal(cause);
      },
    );
  }

  /** Registers the sites that are new: all I/O comes before the first id is remembered. */
  async function ensureSites(keys: ReadonlySet<string>, context: RequestContext): Promise<void> {
    const asked = context.isTrusted ? [...keys] : [...keys].slice(0, registrationsPerDay);
    await Promise.all(asked.map(async (siteKey) => sites.get(siteKey, strangerOf(context))));
  }

  function takeParsed(
    into: Collected,
    index: number,
    input: EventInput,
    request: RequestContext,
  ): void {
    const site = sites.peek(input.site_id);
    if (site === undefined) reject(into, index, unknownSite, 0, input.id);
    else if (!request.isTrusted && budget.isSiteSpent(site.id))
      reject(into, index, siteSpent, site.id, input.id);
    else take(into, index, input, site, request);
  }

  function collectOne(input: EventInput, context: RequestContext): Collected {
    const collected = empty();
    takeParsed(collected, 0, input, context);
    return collected;
  }

  /**
   * Does `next` at once when the site is known, as it nearly always is: then an event costs no
   * promise of its own.
   */
  function onceRegistered<T>(
    siteKey: string,
    context: RequestContext,
    next: () => Promise<T>,
  ): Promise<T> {
    return sites.peek(siteKey) === undefined
      ? sites.get(siteKey, strangerOf(context)).then(next)
      : next();
  }

  /** The number of the site that a raw event names; 0 when it is none we know. */
  const siteNumber = (site: unknown): number =>
    typeof site === 'string' ? (sites.peek(site.trim())?.id ?? 0) : 0;

  const countRefused = (site: unknown, reason: string): void =>
    drops.count(siteNumber(site), reason);

  function refuse(into: Collected, index: number, raw: unknown, rejection: Rejection): void {
    const { site, id } = namesOf(raw);
    reject(into, index, rejection, siteNumber(site), id);
  }

  const empty = (): Collected => ({
    accepted: 0,
    duplicates: 0,
    rejected: [],
    dropped: [],
    events: [],
    repeated: [],
  });

  function takeLater(input: EventInput, context: RequestContext): string | undefined {
    const collected = collectOne(input, context);
    store(collected, context, true).catch(() => countRefused(input.site_id, 'not_durable'));
    return collected.rejected[0]?.code ?? (collected.duplicates > 0 ? 'duplicate' : undefined);
  }

  return {
    /** Stores one event whose form has been checked. Resolves when it is on disk. */
    async track(input: EventInput, context: RequestContext): Promise<IngestOutcome> {
      spending.refuse(context, 1);
      return onceRemembered(remembered, input.id !== undefined, () =>
        onceRegistered(input.site_id, context, () => {
          const collected = collectOne(input, context);
          spending.refuseSite(collected.rejected, 1);
          return store(collected, context);
        }),
      );
    },

    /**
     * Stores one event without anybody waiting for the disk. Resolves to the reason when it does
     * not count.
     */
    trackWithoutWaiting(
      input: EventInput,
      context: RequestContext,
    ): string | undefined | Promise<string | undefined> {
      if (!context.isTrusted && budget.isAddressSpent(context.ip)) {
        countRefused(input.site_id, 'address_budget');
        return 'address_budget';
      }
      const isReady = input.id === undefined || remembered.isLoaded();
      if (isReady && sites.peek(input.site_id) !== undefined) return takeLater(input, context);
      return onceRemembered(remembered, input.id !== undefined, () =>
        sites.get(input.site_id, strangerOf(context)),
      ).then(
        () => takeLater(input, context),
        () => {
          countRefused(input.site_id, 'unavailable');
          return 'unavailable';
        },
      );
    },

    /** Counts what did not even have the form of an event; `site` is what it gave as its site. */
    countRejected: countRefused,

    /**
     * Stores the good ones of `events` and says of the others why not. Resolves when they are on
     * disk.
     */
    async trackBatch(
      events: readonly unknown[],
      sentAt: string | number | undefined,
      context: RequestContext,
    ): Promise<IngestOutcome> {
      spending.refuse(context, events.length);
      const collected = empty();
      const request = { ...context, clockSkewMs: skewOf(sentAt, context.receivedAt) };
      const parsed = await parseAll(events);
      if (!remembered.isLoaded())
        await onceRemembered(
          remembered,
          parsed.some((result) => result?.data?.id !== undefined),
          () => Promise.resolve(),
        );
      const unknown = new Set<string>();
      for (const result of parsed) {
        const data = result?.data;
        if (data !== undefined && sites.peek(data.site_id) === undefined) unknown.add(data.site_id);
      }
      if (unknown.size > 0) await ensureSites(unknown, context);
      for (const [index, result] of parsed.entries()) {
        if (result?.success === true) takeParsed(collected, index, result.data, request);
        else
          refuse(
            collected,
            index,
            events[index],
            result === undefined ? tooLarge : invalid(result.error),
          );
      }
      spending.refuseSite(collected.rejected, events.length);
      return store(collected, context);
    },

    /** Writes the drop counters into the journal; call every few seconds and at the end. */
    flushDrops: (): Promise<void> => drops.flush((record) => journal.append(encodeRecord(record))),

    now: (): number => clock.now(),
  };
}

export type Ingest = ReturnType<typeof createIngest>;

function refusal(cause: unknown): Error {
  if (cause instanceof AppError) return cause;
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  const behind = code === 'backlog' || code === 'overloaded';
  return (behind ? analyticsErrors.backlog : analyticsErrors.not_durable)({
    cause,
    headers: retryAfter,
  });
}
