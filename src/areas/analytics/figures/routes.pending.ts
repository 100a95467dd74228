import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { Backlog } from '../ingest/backlog.ts';

const PendingView = z
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

/** The number of accepted events that are not in the figures yet, which imports wait for. */
export const pendingRoutes: FastifyPluginAsyncZod<{ backlog: Backlog }> = async (
  app,
  { backlog },
) => {
  noStore(app);

  app.get(
    '/pending',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.get_pending',
        summary: 'Get the number of pending events',
        tags: ['analytics'],
        description:
          'Events acknowledged with 200 are on disk. They appear in the figures within ' +
          'moments, or with a longer delay after an import. Each replica counts only the ' +
          'events it accepted.',
        response: { 200: PendingView },
      },
    },
    () => {
      const { accepted, pending } = backlog.figures();
      return { accepted_events: accepted, pending_events: pending };
    },
  );
};
