import type { Clock } from '../../src/lib/clock.ts';

const dayMs = 86_400_000;

/** Returns a clock that starts at today's noon (UTC), so that no day ends during a test file. */
export function clockFromNoon(): Clock {
  const ahead = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2 - Date.now();
  return { now: () => Date.now() + ahead };
}
