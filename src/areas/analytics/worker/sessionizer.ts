import { createHash } from 'node:crypto';
import type { Visit } from '../../../platform/events/types.ts';

/** A visit ends when its visitor does nothing for this long. */
export const visitGapMs = 30 * 60_000;


export interface Assignment {
  visitor: bigint;
  session: bigint;
  /** True when older events of this visitor, no longer in memory, may belong to the same visit. */
  late: boolean;
  /** True when a client-named visit has just begun to be open (it may have been closed before). */
  reopened: boolean;
}

const hash64 = (text: string): bigint => createHash('sha256').update(text).digest().readBigUInt64LE(0) || 1n;

/** The id of a derived visit: from its visitor and the time of its first known event. */
export const visitId = (visitor: bigint, first: number): bigint => hash64(`${visitor} ${first}`);

const namedKey = (session: bigint) => `n${session}`;
const keyOf = (visit: Visit) =>
  visit.named ? namedKey(visit.session) : visit.visitor.toString(16).padStart(16, '0');

const unrecognised: Assignment = { visitor: 0n, session: 0n, late: false, reopened: false };

/**
 * Gives every event its visit: same visitor, at most 30 minutes after (or before) the visit's other events.
 * Only visits of the last `keepMs` are in memory; what can't be decided from them is marked late, and the
 * event store decides. `maxOpen` bounds the memory: the least recently begun visits are then let go early.
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

  function begin(key: string, visit: Visit): void {
    const previous = open.get(key);
    if (previous !== undefined) superseded.push(previous);
    open.set(key, visit);
  }

  /** Yesterday's hash goes on for a visit that began before midnight. */
  function ongoing(visitor: string, yesterday: string | undefined, time: number): Visit | undefined {
    const visit = open.get(visitor);
    if (visit !== undefined || yesterday === undefined) return visit;
    const before = open.get(yesterday);
    return before !== undefined && near(before, time) ? before : undefined;
  }

  function named(name: string, siteId: number, visitor: bigint, time: number): Assignment {
    const session = hash64(`${siteId} ${name}`);
    const visit = open.get(namedKey(session));
    if (visit !== undefined) return extend(visit, time);
    begin(namedKey(session), { visitor, session, named: true, first: time, last: time });
    return { visitor, session, late: false, reopened: true };
  }

  function derived(hash: string, yesterday: string | undefined, time: number): Assignment {
    const visit = ongoing(hash, yesterday, time);
    if (visit !== undefined && near(visit, time)) return extend(visit, time);
    const visitor = BigInt(`0x${hash}`);
    const session = visitId(visitor, time);
    const late = time - visitGapMs < complete || (visit !== undefined && time < visit.first);
    if (!late) begin(hash, { visitor, session, named: false, first: time, last: time });
    return { visitor, session, late, reopened: false };
  }

  function close(visit: Visit, closed: Visit[]): void {
    open.delete(keyOf(visit));
    closed.push(visit);
  }

  return {
    /** @param hash the visitor (16 hex digits), absent when not to be recognised; `name` a client-named visit. */
    assign(siteId: number, hash: string | undefined, yesterday: string | undefined, name: string | undefined, time: number): Assignment {
      if (hash === undefined) return unrecognised;
      if (name !== undefined) return named(name, siteId, BigInt(`0x${hash}`), time);
      return derived(hash, yesterday, time);
    },

    /** Takes in a visit from the event store: at start, or after late events were sorted in. */
    adopt(visit: Visit): void {
      const key = keyOf(visit);
      const known = open.get(key);
      if (known === undefined || known.session === visit.session) {
        const first = Math.min(known?.first ?? visit.first, visit.first);
        open.set(key, { ...visit, first, last: Math.max(known?.last ?? visit.last, visit.last) });
      } else if (visit.last > known.last) {
        begin(key, visit);
      } else {
        superseded.push(visit);
      }
    },

    /** Forgets the derived visits of a visitor, before the event store's view of them is adopted. */
    forget(visitor: bigint): void {
      open.delete(keyOf({ visitor, session: 0n, named: false, first: 0, last: 0 }));
    },

    /** Takes out and gives the visits that are over at `now` (Unix ms), or that there is no room for. */
    closeFinished(now: number): Visit[] {
      const closed = superseded;
      superseded = [];
      const limit = now - keepMs;
      for (const visit of open.values()) if (visit.last < limit) close(visit, closed);
      complete = Math.max(complete, limit);
      if (open.size > maxOpen) {
        const oldest = [...open.values()].sort((a, b) => a.last - b.last).slice(0, open.size - Math.floor(maxOpen * 0.9));
        for (const visit of oldest) close(visit, closed);
        complete = Math.max(complete, (oldest.at(-1)?.last ?? 0) + 1);
      }
      return closed;
    },

    /** Visits of before this instant (Unix ms) may be unknown to this memory. */
    completeFrom: (): number => complete,

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
