import type { Clock } from '../../src/lib/clock.ts';

const dayMs = 86_400_000;

/** A clock that goes on from today's noon (UTC): no day ends while a file of tests runs. */
export function clockFromNoon(): Clock {
  const ahead = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2 - Date.now();
  return { now: () => Date.now() + ahead };
}
