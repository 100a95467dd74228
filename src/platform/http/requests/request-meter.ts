import type { Clock } from '../../../lib/clock.ts';

const slotMs = 10_000;
const slots = 6;
/** Each bucket is a tenth wider than the last, so a percentile is at most a tenth too high. */
const growth = Math.log(1.1);
const minMs = 0.1;
const buckets = 130;

interface Slot {
  /** Index of its ten seconds since the Unix epoch. */
  at: number;
  requests: number;
  errors: number;
  times: Uint32Array;
}

export interface RequestFigures {
  /** Requests per second over the last minute. */
  perSecond: number;
  /** 95th percentile of the last minute's durations, ms; null without requests. */
  p95: number | null;
  /** Number of 5xx responses in the last minute. */
  errors: number;
}

const bucketOf = (ms: number): number =>
  Math.max(0, Math.min(buckets - 1, Math.ceil(Math.log(Math.max(ms, minMs) / minMs) / growth)));

/**
 * Counts requests and their durations over the last minute, in memory, at the cost of an addition
 * each.
 */
export function createRequestMeter({ clock }: { clock: Clock }) {
  const ring: Slot[] = Array.from({ length: slots }, () => ({
    at: -1,
    requests: 0,
    errors: 0,
    times: new Uint32Array(buckets),
  }));

  function slotAt(at: number): Slot | undefined {
    const slot = ring[at % slots];
    if (slot === undefined || slot.at === at) return slot;
    slot.at = at;
    slot.requests = 0;
    slot.errors = 0;
    slot.times.fill(0);
    return slot;
  }

  function p95Of(recent: readonly Slot[], requests: number): number | null {
    let left = Math.ceil(requests * 0.95);
    for (let bucket = 0; bucket < buckets && left > 0; bucket += 1) {
      left -= recent.reduce((sum, { times }) => sum + (times[bucket] ?? 0), 0);
      if (left <= 0) return minMs * Math.exp(growth * bucket);
    }
    return null;
  }

  return {
    /** Counts a request by its status and duration in milliseconds. */
    note(status: number, ms: number): void {
      const slot = slotAt(Math.floor(clock.now() / slotMs));
      if (slot === undefined) return;
      slot.requests += 1;
      if (status >= 500) slot.errors += 1;
      const bucket = bucketOf(ms);
      slot.times[bucket] = (slot.times[bucket] ?? 0) + 1;
    },

    figures(): RequestFigures {
      const now = Math.floor(clock.now() / slotMs);
      const recent = ring.filter(({ at }) => at > now - slots && at <= now);
      const requests = recent.reduce((sum, slot) => sum + slot.requests, 0);
      return {
        perSecond: requests / ((slotMs * slots) / 1000),
        p95: p95Of(recent, requests),
        errors: recent.reduce((sum, slot) => sum + slot.errors, 0),
      };
    },
  };
}

export type RequestMeter = ReturnType<typeof createRequestMeter>;
