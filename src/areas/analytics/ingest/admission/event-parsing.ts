import { mapInSlices } from '../../../../lib/concurrency/slices.ts';
import { isTooLarge } from './event-size.ts';
import { EventInput } from '../schemas.ts';

export type Parsed = ReturnType<typeof EventInput.safeParse> | undefined;

/**
 * The events as their schema reads them; undefined for those that are too large. Lets others go on
 * in between.
 */
export const parseAll = (events: readonly unknown[]): Promise<Parsed[]> =>
  mapInSlices(events, (raw) => (isTooLarge(raw) ? undefined : EventInput.safeParse(raw)));
