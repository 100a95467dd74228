import { z } from 'zod';

export const PendingView = z
  .object({
    accepted_events: z
      .int()
      .describe('Events from all sites that this process has accepted since it started.'),
    pending_events: z
      .int()
      .nullable()
      .describe(
        'Accepted events not yet included in the figures; null while events from before ' +
          'this process started are still being read.',
      ),
  })
  .meta({
    id: 'AnalyticsPending',
    description:
      'Events accepted by this process, and how many are not yet included in the figures.',
    examples: [{ accepted_events: 24_000, pending_events: 0 }],
  });
