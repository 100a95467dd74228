import { mapInSlices } from '../../../../lib/concurrency/slices.ts';
import { EventInput } from '../schemas.ts';
import { isTooLarge } from './event-size.ts';

export type ParsedEvent = ReturnType<typeof EventInput.safeParse> | undefined;

/** Validates events, yielding to the event loop. Results are undefined for oversized events. */
export const parseEvents = (events: readonly unknown[]): Promise<ParsedEvent[]> =>
  mapInSlices(events, (raw) => (isTooLarge(raw) ? undefined : EventInput.safeParse(raw)));
