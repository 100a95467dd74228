import { IANAZone } from 'luxon';
import type {
  RequestedPeriod,
  ResolvedPeriod,
} from '../../../../src/areas/analytics/figures/periods/periods.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';

const step = 15 * minuteMs;

/** The offset of a zone in minutes, by the quarter hour: no zone changes between two of them. */
const offsets = new Map<string, Map<number, number>>();

function offsetsOf(timezone: string): (ms: number) => number {
  const zone = IANAZone.create(timezone);
  const known = offsets.get(timezone) ?? new Map<number, number>();
  offsets.set(timezone, known);
  return (ms) => {
    const quarter = Math.floor(ms / step);
    const offset = known.get(quarter) ?? zone.offset(quarter * step);
    known.set(quarter, offset);
    return offset;
  };
}

/** Creates the wall clock of a zone, which steps through the zone's offsets by quarter hours. */
export function createWallClock(timezone: string) {
  const offset = offsetsOf(timezone);
  /** Returns the local time of an instant, as if it were UTC. */
  const local = (ms: number) => ms + offset(ms) * minuteMs;

  /** Returns the first instant whose local date is `day` (days since 1970) or later. */
  function dayStart(day: number): number {
    let at = day * dayMs - offset(day * dayMs) * minuteMs - 3 * hourMs;
    while (Math.floor(local(at) / dayMs) < day) at += step;
    return at;
  }

  return { local, dayStart, day: (ms: number) => Math.floor(local(ms) / dayMs) };
}

type WallClock = ReturnType<typeof createWallClock>;

const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month, date) / dayMs;
const dateOf = (day: number) => new Date(day * dayMs);
const isMonday = (day: number) => dateOf(day).getUTCDay() === 1;
const isFirst = (day: number) => dateOf(day).getUTCDate() === 1;

function yearBefore(day: number): number {
  const date = dateOf(day);
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(year, month, Math.min(date.getUTCDate(), last));
}

/** Returns the first day and the day after the last of a period of whole days. */
function daysOf({ period, from, to, now }: RequestedPeriod, wall: WallClock): [number, number] {
  const today = wall.day(now);
  if (period === 'custom')
    return [Date.parse(from ?? '') / dayMs, Date.parse(to ?? '') / dayMs + 1];
  if (period === '12mo')
    return [dayOf(dateOf(today).getUTCFullYear(), dateOf(today).getUTCMonth() - 11, 1), today + 1];
  return [today + 1 - Number.parseInt(period, 10), today + 1];
}

/** Returns the starts of hours: at full local hours, and 60 minutes after the previous start. */
function hours(from: number, to: number, wall: WallClock): number[] {
  const starts: number[] = [];
  for (let at = from - (from % step) - 5 * hourMs; at < to; at += step) {
    if (wall.local(at) % hourMs === 0 || at - (starts.at(-1) ?? at) === hourMs) starts.push(at);
  }
  return starts.filter((_, index) => (starts[index + 1] ?? to) > from);
}

function buckets(from: number, to: number, interval: string, wall: WallClock): number[] {
  const starts: number[] = [];
  if (interval === 'hour') return hours(from, to, wall);
  const begins = interval === 'day' ? () => true : interval === 'week' ? isMonday : isFirst;
  let day = wall.day(from);
  while (!begins(day)) day -= 1;
  for (; wall.dayStart(day) < to; day += 1) if (begins(day)) starts.push(wall.dayStart(day));
  return starts;
}

/** Resolves a period query that has an interval to its range, compared range and bucket starts. */
export function referencePeriod(
  query: RequestedPeriod & { interval: NonNullable<RequestedPeriod['interval']> },
): ResolvedPeriod {
  const { period, from: fromText, to: toText, compare, interval, now, timezone } = query;
  const wall = createWallClock(timezone);
  const instants = period === '24h' || (period === 'custom' && fromText?.length !== 10);
  if (instants) {
    const hour = now - (wall.local(now) % hourMs);
    const [from, to] =
      period === '24h'
        ? [hour - 23 * hourMs, hour + hourMs]
        : [Date.parse(fromText ?? ''), Date.parse(toText ?? '')];
    const compared = compare === 'previous' ? { from: from - (to - from), to: from } : undefined;
    return {
      range: { from, to },
      compare: compared,
      interval,
      buckets: buckets(from, to, interval, wall),
    };
  }
  const [first, end] = daysOf(query, wall);
  const range = { from: wall.dayStart(first), to: wall.dayStart(end) };
  const compared =
    compare === 'previous'
      ? { from: wall.dayStart(first - (end - first)), to: range.from }
      : compare === 'year'
        ? { from: wall.dayStart(yearBefore(first)), to: wall.dayStart(yearBefore(end - 1) + 1) }
        : undefined;
  return {
    range,
    compare: compared,
    interval,
    buckets: buckets(range.from, range.to, interval, wall),
  };
}
