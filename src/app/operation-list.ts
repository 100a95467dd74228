import type { StatusContext } from '../areas/status/compose.ts';
import { componentOperations } from '../areas/status/components/operations.ts';
import { incidentOperations, maintenanceOperations } from '../areas/status/incidents/operations.ts';
import { subscriberOperations } from '../areas/status/subscriptions/operations.ts';
import type { WaitlistContext } from '../areas/waitlist/compose.ts';
import { entryOperations } from '../areas/waitlist/entries/operations.ts';
import type { Clock } from '../lib/clock.ts';
import { type BoundOperation, bindOperations } from '../platform/operations/bound.ts';

/** The operations that surfaces other than REST carry, in the order of their lists. */
export const listOperations = (
  services: StatusContext & WaitlistContext & { clock: Clock },
): BoundOperation[] =>
  bindOperations<StatusContext & WaitlistContext>(services, [
    ...componentOperations,
    ...incidentOperations,
    ...maintenanceOperations,
    ...subscriberOperations,
    ...entryOperations,
  ]);
