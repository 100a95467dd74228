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

export interface SessionizerOptions {
  /** Visits whose last event is older than this leave the memory. */
  keepMs?: number;
  /** Maximum number of open visits in memory; beyond it, the least recent are closed early. */
  maxOpen?: number;
}

interface State {
  open: Map<string, Visit>;
  /** Visits replaced in `open` by a later visit of the same visitor. */
  superseded: Visit[];
  /** Visits that ended before this (Unix ms) may be unknown. */
  completeFrom: number;
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

/** Whether memory may lack visits that an event at `time` could continue. */
const isBeyondMemory = ({ completeFrom }: State, time: number) => time - visitGapMs < completeFrom;

function begin({ open, superseded }: State, key: string, visit: Visit): void {
  const previous = open.get(key);
  if (previous !== undefined) superseded.push(previous);
  open.set(key, { ...visit, previousEnd: Math.max(visit.previousEnd, previous?.last ?? 0) });
}

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

/** Adds an event to its visit. An earlier start may close the gap to the previous visit. */
function join(state: State, visit: Visit, time: number): Assignment {
  const late =
    time < visit.first && (isBeyondMemory(state, time) || time - visitGapMs <= visit.previousEnd);
  return extend(visit, time, late);
}

/** Assigns an event to the visit that the client named. */
function assignNamed(
  state: State,
  name: string,
  siteId: number,
  visitor: bigint,
  time: number,
): Assignment {
  const session = hash64(`named ${siteId} ${name}`);
  const key = namedKey(session);
  const visit = state.open.get(key);
  if (visit !== undefined) return extend(visit, time);
  begin(state, key, newVisit(siteId, visitor, session, true, time));
  return { visitor, session, late: false, reopened: true };
}

/**
 * Assigns an event by the 30-minute rule. Yesterday's hash continues a visit that began before
 * midnight.
 */
function assignDerived(
  state: State,
  siteId: number,
  hash: string,
  yesterday: string | undefined,
  time: number,
): Assignment {
  const key = derivedKey(siteId, hash);
  const own = state.open.get(key);
  const visit =
    nearVisit(own, time) ??
    (yesterday === undefined
      ? undefined
      : nearVisit(state.open.get(derivedKey(siteId, yesterday)), time));
  if (visit !== undefined) return join(state, visit, time);
  const visitor = BigInt(`0x${hash}`);
  const session = visitId(siteId, visitor, time);
  const late = isBeyondMemory(state, time) || (own !== undefined && time < own.first);
  if (!late || own === undefined)
    begin(state, key, newVisit(siteId, visitor, session, false, time));
  return { visitor, session, late, reopened: false };
}

function adopt(state: State, visit: Visit): void {
  const key = toKey(visit);
  const known = state.open.get(key);
  if (known === undefined || known.session === visit.session) {
    const { first, last, previousEnd } = known ?? visit;
    state.open.set(key, {
      ...visit,
      first: Math.min(first, visit.first),
      last: Math.max(last, visit.last),
      previousEnd: Math.max(previousEnd, visit.previousEnd),
    });
  } else if (visit.last > known.last) {
    begin(state, key, visit);
  } else {
    state.superseded.push(visit);
    known.previousEnd = Math.max(known.previousEnd, visit.last);
  }
}

function forget(state: State, visitors: readonly SiteVisitor[]): void {
  if (visitors.length === 0) return;
  const keys = new Set(visitors.map(visitorKey));
  for (const key of keys) state.open.delete(key);
  state.superseded = state.superseded.filter((visit) => !keys.has(toKey(visit)));
}

/** Returns the least recent visits to evict once `maxOpen` is exceeded, down to 90 % of it. */
function visitsToEvict(open: ReadonlyMap<string, Visit>, maxOpen: number): Visit[] {
  if (open.size <= maxOpen) return [];
  const oldestFirst = [...open.values()].sort((a, b) => a.last - b.last);
  return oldestFirst.slice(0, open.size - Math.floor(maxOpen * 0.9));
}

function closeFinished(state: State, over: number, maxOpen: number): Visit[] {
  const { open } = state;
  const closed = state.superseded;
  state.superseded = [];
  const close = (visit: Visit) => {
    open.delete(toKey(visit));
    closed.push(visit);
  };
  for (const visit of open.values()) if (visit.last < over) close(visit);
  state.completeFrom = Math.max(state.completeFrom, over);
  const oldest = visitsToEvict(open, maxOpen);
  for (const visit of oldest) close(visit);
  const last = oldest.at(-1);
  if (last !== undefined) state.completeFrom = Math.max(state.completeFrom, last.last + 1);
  return closed;
}

/**
 * Assigns events to visits: same visitor, at most 30 minutes from another event of the visit. Only
 * recent visits are in memory; an event that they can't decide is marked late, for the event store
 * to decide.
 */
export function createSessionizer({
  keepMs = 2 * visitGapMs,
  maxOpen = 500_000,
}: SessionizerOptions = {}) {
  const state: State = { open: new Map(), superseded: [], completeFrom: 0 };
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
        ? assignDerived(state, siteId, hash, yesterday, time)
        : assignNamed(state, name, siteId, BigInt(`0x${hash}`), time);
    },

    /** Adds a visit from the event store: at start, or after late events were assigned. */
    adopt: (visit: Visit): void => adopt(state, visit),

    /** Removes the derived visits of visitors, before adopting their recomputed ones. */
    forget: (visitors: readonly SiteVisitor[]): void => forget(state, visitors),

    /** Removes and returns the visits that have ended at `now` (Unix ms) or exceed `maxOpen`. */
    closeFinished: (now: number): Visit[] => closeFinished(state, now - keepMs, maxOpen),

    /** Visits that ended before this time (Unix ms) may be missing from memory. */
    completeFrom: (): number => state.completeFrom,

    /** Restores the `completeFrom` (Unix ms) of an earlier run on the same store. */
    resume(completeFrom: number): void {
      state.completeFrom = Math.max(state.completeFrom, completeFrom);
    },

    /** Returns the earliest start of an open visit; `fallback` if none is open. */
    openFrom(fallback: number): number {
      let from = fallback;
      for (const visit of state.open.values()) if (visit.first < from) from = visit.first;
      for (const visit of state.superseded) if (visit.first < from) from = visit.first;
      return from;
    },

    size: (): number => state.open.size,
  };
}

export type Sessionizer = ReturnType<typeof createSessionizer>;
