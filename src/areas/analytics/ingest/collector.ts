import type { Rejection } from '../sites/rules.ts';
import type { Admission } from './admission/admission.ts';
import type { DroppedField } from './admission/event-details.ts';
import type { DuplicateFilter } from './duplicates/duplicate-filter.ts';
import type { JournalEvent } from '../store/journal-record.ts';
import type { DropCounters } from './limits/drop-counters.ts';
import { siteBudgetSpent, type StorageBudget } from './limits/storage-budget.ts';
import type { RequestContext } from './request-context.ts';
import type { EventInput } from './schemas.ts';
import type { Sites } from '../sites/sites.ts';

/** The outcome for the events of a request. */
export interface IngestOutcome {
  accepted: number;
  duplicates: number;
  rejected: (Rejection & { index: number; id?: string })[];
  dropped: (DroppedField & { index: number })[];
}

/** The validated events of a request. */
export interface CollectedEvents extends IngestOutcome {
  events: JournalEvent[];
  /** Duplicates, whose first copy may not be durable yet. */
  repeated: JournalEvent[];
}

const unknownSite: Rejection = {
  code: 'unknown_site',
  message: 'this site_id is not registered, and new sites are not accepted',
  field: 'site_id',
};

const tooLarge: Rejection = {
  code: 'event_too_large',
  message: 'an event in a batch can have at most 32 KiB',
};

export const noEvents = (): CollectedEvents => ({
  accepted: 0,
  duplicates: 0,
  rejected: [],
  dropped: [],
  events: [],
  repeated: [],
});

/** Returns the number of the site with this key; 0 if unknown. */
export const lookUpSiteId = ({ peek }: Pick<Sites, 'peek'>, key: unknown): number =>
  typeof key === 'string' ? (peek(key.trim())?.id ?? 0) : 0;

/** Reads the site key and the id of an invalid event, if present. */
function readKeys(raw: unknown): { key?: unknown; id?: string } {
  if (typeof raw !== 'object' || raw === null) return {};
  const key = 'site_id' in raw ? { key: raw.site_id } : {};
  return 'id' in raw && typeof raw.id === 'string' ? { ...key, id: raw.id.slice(0, 64) } : key;
}

interface ValidationError {
  issues: readonly { path: PropertyKey[]; message: string }[];
}

function toRejection({ issues: [issue] }: ValidationError): Rejection {
  const field = issue?.path.join('.') ?? '';
  return {
    code: 'invalid',
    message: issue?.message ?? 'not an event',
    ...(field === '' ? {} : { field }),
  };
}

/** Creates the functions that sort events into those to store, and the others. */
export function createCollector({
  sites,
  admission,
  duplicates,
  drops,
  budget,
}: {
  sites: Sites;
  admission: Admission;
  duplicates: DuplicateFilter;
  drops: DropCounters;
  budget: StorageBudget;
}) {
  return {
    /** Returns the outcome of a request with one valid event. */
    collect(input: EventInput, request: RequestContext): CollectedEvents {
      const collected = noEvents();
      add(collected, 0, input, request);
      return collected;
    },

    add,

    /** Adds the reason why an invalid event is not stored; without `error`, it is too large. */
    addInvalid(
      into: CollectedEvents,
      index: number,
      raw: unknown,
      error: ValidationError | undefined,
    ): void {
      const { key, id } = readKeys(raw);
      const rejection = error === undefined ? tooLarge : toRejection(error);
      reject(into, index, rejection, lookUpSiteId(sites, key), id);
    },
  };

  /** Adds a valid event of a batch, or the reason why it is not stored. */
  function add(
    into: CollectedEvents,
    index: number,
    input: EventInput,
    request: RequestContext,
  ): void {
    const site = sites.peek(input.site_id);
    if (site === undefined) {
      reject(into, index, unknownSite, 0, input.id);
      return;
    }
    const admitted = budget.isSiteSpent(request, site.id)
      ? siteBudgetSpent
      : admission.admit(input, site, request);
    if ('code' in admitted) {
      reject(into, index, admitted, site.id, input.id);
    } else if (duplicates.isNew(admitted.event, request.receivedAt)) {
      into.events.push(admitted.event);
      into.accepted += 1;
      for (const field of admitted.dropped) into.dropped.push({ index, ...field });
    } else {
      into.duplicates += 1;
      into.repeated.push(admitted.event);
      drops.count(site.id, 'duplicate');
    }
  }

  function reject(
    into: CollectedEvents,
    index: number,
    rejection: Rejection,
    siteId: number,
    id?: string,
  ): void {
    drops.count(siteId, rejection.code);
    into.rejected.push(id === undefined ? { index, ...rejection } : { index, id, ...rejection });
  }
}
