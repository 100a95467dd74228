import { setImmediate as turn } from 'node:timers/promises';
import { isTooLarge } from './event-size.ts';
import { EventInput } from './schemas.ts';

/** Milliseconds that the events of one batch may be checked before others get their turn. */
const sliceMs = 5;

export type Parsed = ReturnType<typeof EventInput.safeParse> | undefined;

/** The events as their schema reads them; undefined for those that are too large. Lets others go on in between. */
export async function parseAll(events: readonly unknown[]): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  let began = performance.now();
  for (const raw of events) {
    parsed.push(isTooLarge(raw) ? undefined : EventInput.safeParse(raw));
    if (performance.now() - began < sliceMs) continue;
    await turn();
    began = performance.now();
  }
  return parsed;
}
