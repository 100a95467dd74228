import { mapInSlices } from '../../../../lib/concurrency/slices.ts';
import { EventInput } from '../schemas.ts';
import { isTooLarge } from './event-size.ts';

export type ParsedEvent = ReturnType<typeof EventInput.safeParse> | undefined;

/**
 * Validates events; undefined for those that are too large. Yields to the event loop in between.
 */
export const parseEvents = (events: readonly unknown[]): Promise<ParsedEvent[]> =>
  mapInSlices(events, (raw) => (isTooLarge(raw) ? undefined : EventInput.safeParse(raw)));
