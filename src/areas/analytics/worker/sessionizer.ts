import { createHash } from 'node:crypto';
import type { SiteVisitor, Visit } from '../store/events.ts';

/** A visit ends when its visitor does nothing for this long. */
export const visitGapMs = 30 * 60_000;

export interface Assignment {
  visitor: bigint;
  session: bigint;
  /**
   * True when the visit's other events may be older than what is in memory: the event store has to
   * cut the visits.
   */
  late: boolean;
  /** True when a client-named visit has just begun to be open (it may have been closed before). */
  reopened: boolean;
}

const hash64 = (text: string): bigint =>
  createHash('sha256').update(text).digest().readBigUInt64LE(0) || 1n;

/** The id of a derived visit: from its visitor and the time of its first known event. */
export const visitId = (siteId: number, visitor: bigint, first: number): bigint =>
  hash64(`visit ${siteId} ${visitor} ${first}`);

const nobody = '0'.repeat(16);
const namedKey = (session: bigint) => `n${session}`;
const derivedKey = (siteId: number, hash: string) => `${siteId} ${hash}`;
const visitorKey = ({ siteId, visitor }: SiteVisitor) =>
  derivedKey(siteId, visitor.toString(16).padStart(16, '0'));
const keyOf = (visit: Visit) => (visit.named ? namedKey(visit.session) : visitorKey(visit));

const unrecognised: Assignment = { visitor: 0n, session: 0n, late: false, reopened: false };

/**
 * Gives every event its visit: same visitor, at most 30 minutes after (or before) the visit's other
 * events. Only visits of the last `keepMs` are in memory; what can't be decided from them is marked
 * late, and the event store decides. `maxOpen` bounds the memory: the least recently begun visits
 * are then let go early.
 */
export function createSessionizer({ keepMs = 2 * visitGapMs, maxOpen = 500_000 } = {}) {
  const open = new Map<string, Visit>();
  let superseded: Visit[] = [];
  let complete = 0;

  const near = (visit: Visit, time: number) =>
    time >= visit.first - visitGapMs && time <= visit.last + visitGapMs;

  function extend(visit: Visit, time: number): Assignment {
    if (time < visit.first) visit.first = time;
    if (time > visit.last) visit.last = time;
    return { visitor: visit.visitor, session: visit.session, late: false, reopened: false };
  }

  /** Visits that ended at `time - visitGapMs` or later may not be in memory. */
  const beyondMemory = (time: number) => time - visitGapMs < complete;

  /** An earlier beginning may close the gap to the visit before. */
  function join(visit: Visit, time: number): Assignment {
    const late =
      time < visit.first && (beyondMemory(time) || time - visitGapMs <= visit.previousEnd);
    return { ...extend(visit, time), late };
  }

  function begin(key: string, visit: Visit): void {
    const previous = open.get(key);
    if (previous !== undefined) superseded.push(previous);
    open.set(key, { ...visit, previousEnd: Math.max(visit.previousEnd, previous?.last ?? 0) });
  }

  const nearOf = (visit: Visit | undefined, time: number) =>
    visit !== undefined && near(visit, time) ? visit : undefined;

  /** Yesterday's hash goes on for a visit that began before midnight. */
  function ongoing(
    siteId: number,
    own: Visit | undefined,
    yesterday: string | undefined,
    time: number,
  ): Visit | undefined {
    return (
      nearOf(own, time) ??
      (yesterday === undefined ? undefined : nearOf(open.get(derivedKey(siteId, yesterday)), time))
    );
  }

  function named(name: string, siteId: number, visitor: bigint, time: number): Assignment {
    const session = hash64(`named ${siteId} ${name}`);
    const visit = open.get(namedKey(session));
    if (visit !== undefined) return extend(visit, time);
    begin(namedKey(session), {
      siteId,
      visitor,
      session,
      named: true,
      first: time,
      last: time,
      previousEnd: 0,
    });
    return { visitor, session, late: false, reopened: true };
  }

  function derived(
    siteId: number,
    hash: string,
    yesterday: string | undefined,
    time: number,
  ): Assignment {
    const own = open.get(derivedKey(siteId, hash));
    const visit = ongoing(siteId, own, yesterday, time);
    if (visit !== undefined) return join(visit, time);
    const visitor = BigInt(`0x${hash}`);
    const session = visitId(siteId, visitor, time);
    const late = beyondMemory(time) || (own !== undefined && time < own.first);
    if (!late || own === undefined) {
      begin(derivedKey(siteId, hash), {
        siteId,
        visitor,
        session,
        named: false,
        first: time,
        last: time,
        previousEnd: 0,
      });
    }
    return { visitor, session, late, reopened: false };
  }

  function close(visit: Visit, closed: Visit[]): void {
    open.delete(keyOf(visit));
    closed.push(visit);
  }

  return {
    /**
     * @param hash the visitor (16 hex digits), absent when not to be recognised; `name` a
     *   client-named visit.
     */
    assign(
      siteId: number,
      hash: string | undefined,
      yesterday: string | undefined,
      name: string | undefined,
      time: number,
    ): Assignment {
      if (hash === undefined || hash === nobody) return unrecognised;
      if (name !== undefined) return named(name, siteId, BigInt(`0x${hash}`), time);
      return derived(siteId, hash, yesterday, time);
    },

    /** Takes in a visit from the event store: at start, or after late events were sorted in. */
    adopt(visit: Visit): void {
      const key = keyOf(visit);
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

    /** Forgets the derived visits of visitors, before the event store's view of them is adopted. */
    forget(visitors: readonly SiteVisitor[]): void {
      if (visitors.length === 0) return;
      const keys = new Set(visitors.map(visitorKey));
      for (const key of keys) open.delete(key);
      superseded = superseded.filter((visit) => !keys.has(keyOf(visit)));
    },

    /**
     * Takes out and gives the visits that are over at `now` (Unix ms), or that there is no room
     * for.
     */
    closeFinished(now: number): Visit[] {
      const closed = superseded;
      superseded = [];
      const limit = now - keepMs;
      for (const visit of open.values()) if (visit.last < limit) close(visit, closed);
      complete = Math.max(complete, limit);
      if (open.size > maxOpen) {
        const oldest = [...open.values()]
          .sort((a, b) => a.last - b.last)
          .slice(0, open.size - Math.floor(maxOpen * 0.9));
        for (const visit of oldest) close(visit, closed);
        complete = Math.max(complete, (oldest.at(-1)?.last ?? 0) + 1);
      }
      return closed;
    },

    /** Visits that ended before this instant (Unix ms) may be unknown to this memory. */
    completeFrom: (): number => complete,

    /** Takes over how far a former memory of the same store had been complete (Unix ms). */
    resume(completeFrom: number): void {
      complete = Math.max(complete, completeFrom);
    },

    /** The earliest first event of an open visit, or `fallback` when none is open. */
    openFrom(fallback: number): number {
      let from = fallback;
      for (const visit of open.values()) if (visit.first < from) from = visit.first;
      for (const visit of superseded) if (visit.first < from) from = visit.first;
      return from;
    },

    size: (): number => open.size,
  };
}

export type Sessionizer = ReturnType<typeof createSessionizer>;
