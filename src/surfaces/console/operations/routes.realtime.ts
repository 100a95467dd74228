import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Html } from '../../../lib/text/html.ts';
import type { Principal } from '../../../platform/identity/identity.ts';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import type { Realtime } from '../../ws/service.ts';
import { checked, FormValues, textOf } from '../form-values.ts';
import { changes, looks } from '../limits.ts';
import { notice, withQuery } from '../parts.ts';
import { type ChannelFacts, publishChannel, realtimePage } from './realtime-page.ts';
import type { ConsoleRoutesOptions } from './routes.overview.ts';
import { done, HtmlPage } from '../schemas.ts';
import { placeOf } from '../sections.ts';

export interface RealtimeSource {
  figures: Realtime['figures'];
  /** The channels that somebody may hear. */
  channels: (principal: Principal | undefined) => ChannelFacts[];
  /** Tells everybody who listens to `test`, as the REST call does. */
  publish: (received: unknown) => Promise<void>;
  /** Address of `/ws/svc/`. */
  socket: string;
}

const Json = z
  .string()
  .max(4000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  });

const noticeOf = (what: string | undefined): Html | undefined =>
  what === 'published' ? notice(`Published to ${publishChannel}.`) : undefined;

/** Realtime: what may be heard is up to the rules of the channels, for the socket as for this page. */
export const realtimePageRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { realtimeSource: RealtimeSource }
> = async (
  app,
  { consoleLayout, viewerOf, realtimeSource: { figures, channels, publish, socket } },
) => {
  app.get(
    '/realtime',
    {
      config: looks,
      schema: {
        operationId: 'console.realtime',
        summary: 'The console: realtime inspector',
        tags: ['pages'],
        querystring: z.object({
          channel: z
            .string()
            .max(128)
            .default(publishChannel)
            .describe('The channel to listen to.'),
          done,
        }),
        description:
          'Sockets of this replica, the channels that there are, and an inspector that hears them.',
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) => {
      const { channel, done: what } = request.query;
      return sendPage(
        reply,
        consoleLayout(
          realtimePage(
            { figures: figures(), channels: channels(request.principal), channel, socket },
            noticeOf(what),
          ),
          viewerOf(request),
        ),
      );
    },
  );

  app.post(
    '/realtime/publish',
    {
      bodyLimit: 16 * 1024,
      config: changes,
      schema: {
        operationId: 'console.publish',
        summary: 'Form: publish to test',
        tags: ['pages'],
        hide: true,
        body: FormValues,
      },
    },
    async (request, reply) => {
      await publish(
        checked(z.object({ data: Json }), { data: textOf(request.body, 'data') ?? '' }).data,
      );
      return reply.redirect(withQuery(placeOf('realtime'), { done: 'published' }), 303);
    },
  );
};
