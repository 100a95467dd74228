import { createHash } from 'node:crypto';
import type { SiteVisitor, Visit } from '../store/events.ts';

/** A visit ends when its visitor sends no event for this long. */
export const visitGapMs = 30 * 60_000;

export interface Assignment {
  visitor: bigint;
  session: bigint;
  /** Memory may lack older events of the visit: the event store must recompute the visits. */
  late: boolean;
  /** A client-named visit was opened by this event; it may have been closed before. */
  reopened: boolean;
}

const hash64 = (text: string): bigint =>
  createHash('sha256').update(text).digest().readBigUInt64LE(0) || 1n;

/** Derives the id of a visit from its visitor and the time of its first known event. */
const visitId = (siteId: number, visitor: bigint, first: number): bigint =>
  hash64(`visit ${siteId} ${visitor} ${first}`);

const noVisitor = '0'.repeat(16);
const unrecognised: Assignment = { visitor: 0n, session: 0n, late: false, reopened: false };

const namedKey = (session: bigint) => `n${session}`;
const derivedKey = (siteId: number, hash: string) => `${siteId} ${hash}`;
const visitorKey = ({ siteId, visitor }: SiteVisitor) =>
  derivedKey(siteId, visitor.toString(16).padStart(16, '0'));
const toKey = (visit: Visit) => (visit.named ? namedKey(visit.session) : visitorKey(visit));

const isNear = (visit: Visit, time: number) =>
  time >= visit.first - visitGapMs && time <= visit.last + visitGapMs;

const nearVisit = (visit: Visit | undefined, time: number) =>
  visit !== undefined && isNear(visit, time) ? visit : undefined;

const newVisit = (
  siteId: number,
  visitor: bigint,
  session: bigint,
  named: boolean,
  time: number,
): Visit => ({ siteId, visitor, session, named, first: time, last: time, previousEnd: 0 });

function extend(visit: Visit, time: number, late = false): Assignment {
  if (time < visit.first) visit.first = time;
  if (time > visit.last) visit.last = time;
  return { visitor: visit.visitor, session: visit.session, late, reopened: false };
}

/** Returns the least recent visits to evict once `maxOpen` is exceeded, down to 90 % of it. */
function visitsToEvict(open: ReadonlyMap<string, Visit>, maxOpen: number): Visit[] {
  if (open.size <= maxOpen) return [];
  const oldestFirst = [...open.values()].sort((a, b) => a.last - b.last);
  return oldestFirst.slice(0, open.size - Math.floor(maxOpen * 0.9));
}

/**
 * Assigns events to visits: same visitor, at most 30 minutes from another event of the visit. Only
 * recent visits are in memory; an event that they can't decide is marked late, for the event store
 * to decide. Visits whose last event is older than `keepMs` leave the memory, and beyond `maxOpen`
 * the least recent are closed early.
 */
export function createSessionizer({ keepMs = 2 * visitGapMs, maxOpen = 500_000 } = {}) {
  const open = new Map<string, Visit>();
  /** Visits replaced in `open` by a later visit of the same visitor. */
  let superseded: Visit[] = [];
  /** Visits that ended before this (Unix ms) may be unknown. */
  let completeFrom = 0;

  return {
    /**
     * @param hash the visitor (16 hex digits); undefined if they opted out of recognition.
     * @param yesterday the same visitor under yesterday's salt.
     * @param name a visit that the client named.
     */
    assign(
      siteId: number,
      hash: string | undefined,
      yesterday: string | undefined,
      name: string | undefined,
      time: number,
    ): Assignment {
      if (hash === undefined || hash === noVisitor) return unrecognised;
      return name === undefined
        ? assignDerived(siteId, hash, yesterday, time)
        : assignNamed(name, siteId, BigInt(`0x${hash}`), time);
    },

    /** Adds a visit from the event store: at start, or after late events were assigned. */
    adopt(visit: Visit): void {
      const key = toKey(visit);
      const known = open.get(key);
      if (known === undefined || known.session === visit.session) {
        const { first, last, previousEnd } = known ?? visit;
        open.set(key, {
          ...visit,
          first: Math.min(first, visit.first),
          last: Math.max(last, visit.last),
          previousEnd: Math.max(previousEnd, visit.previousEnd),
        });
      } else if (visit.last > known.last) {
        begin(key, visit);
      } else {
        superseded.push(visit);
        known.previousEnd = Math.max(known.previousEnd, visit.last);
      }
    },

    /** Removes the derived visits of visitors, before adopting their recomputed ones. */
    forget(visitors: readonly SiteVisitor[]): void {
      if (visitors.length === 0) return;
      const keys = new Set(visitors.map(visitorKey));
      for (const key of keys) open.delete(key);
      superseded = superseded.filter((visit) => !keys.has(toKey(visit)));
    },

    /** Removes and returns the visits that have ended at `now` (Unix ms) or exceed `maxOpen`. */
    closeFinished(now: number): Visit[] {
      const over = now - keepMs;
      const closed = superseded;
      superseded = [];
      const close = (visit: Visit) => {
        open.delete(toKey(visit));
        closed.push(visit);
      };
      for (const visit of open.values()) if (visit.last < over) close(visit);
      const oldest = visitsToEvict(open, maxOpen);
      for (const visit of oldest) close(visit);
      completeFrom = Math.max(completeFrom, over, (oldest.at(-1)?.last ?? -1) + 1);
      return closed;
    },

    /** Visits that ended before this time (Unix ms) may be missing from memory. */
    completeFrom: (): number => completeFrom,

    /** Restores the `completeFrom` (Unix ms) of an earlier run on the same store. */
    resume(from: number): void {
      completeFrom = Math.max(completeFrom, from);
    },

    /** Returns the earliest start of an open visit; `fallback` if none is open. */
    openFrom(fallback: number): number {
      let from = fallback;
      for (const visit of open.values()) if (visit.first < from) from = visit.first;
      for (const visit of superseded) if (visit.first < from) from = visit.first;
      return from;
    },

    size: (): number => open.size,
  };

  /** Assigns an event to the visit that the client named. */
  function assignNamed(name: string, siteId: number, visitor: bigint, time: number): Assignment {
    const session = hash64(`named ${siteId} ${name}`);
    const key = namedKey(session);
    const visit = open.get(key);
    if (visit !== undefined) return extend(visit, time);
    begin(key, newVisit(siteId, visitor, session, true, time));
    return { visitor, session, late: false, reopened: true };
  }

  /**
   * Assigns an event by the 30-minute rule. Yesterday's hash continues a visit that began before
   * midnight.
   */
  function assignDerived(
    siteId: number,
    hash: string,
    yesterday: string | undefined,
    time: number,
  ): Assignment {
    const key = derivedKey(siteId, hash);
    const own = open.get(key);
    const visit =
      nearVisit(own, time) ??
      (yesterday === undefined
        ? undefined
        : nearVisit(open.get(derivedKey(siteId, yesterday)), time));
    if (visit !== undefined) return join(visit, time);
    const visitor = BigInt(`0x${hash}`);
    const session = visitId(siteId, visitor, time);
    const late = isBeyondMemory(time) || (own !== undefined && time < own.first);
    if (!late || own === undefined) begin(key, newVisit(siteId, visitor, session, false, time));
    return { visitor, session, late, reopened: false };
  }

  /** Adds an event to its visit. An earlier start may close the gap to the previous visit. */
  function join(visit: Visit, time: number): Assignment {
    const late =
      time < visit.first && (isBeyondMemory(time) || time - visitGapMs <= visit.previousEnd);
    return extend(visit, time, late);
  }

  function begin(key: string, visit: Visit): void {
    const previous = open.get(key);
    if (previous !== undefined) superseded.push(previous);
    open.set(key, { ...visit, previousEnd: Math.max(visit.previousEnd, previous?.last ?? 0) });
  }

  /** Whether memory may lack visits that an event at `time` could continue. */
  function isBeyondMemory(time: number): boolean {
    return time - visitGapMs < completeFrom;
  }
}

export type Sessionizer = ReturnType<typeof createSessionizer>;
