import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { FormValues, parseForm, textOf } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, page } from '../route-options.ts';
import { done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { channelsFor, consoleSocket } from './channels.ts';
import { publishChannel, realtimePage } from './realtime-page.tsx';

const RealtimeQuery = z.object({
  channel: z.string().max(128).default(publishChannel).describe('The channel to listen to.'),
  done,
});

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
const PublishBody = z.object({ data: Json });

function realtimePageRoute(
  app: ConsoleScope,
  { baseUrl, services, send }: ConsoleRoutesOptions,
): void {
  const socket = `${baseUrl.replace(/^http/, 'ws')}${consoleSocket}`;
  app.get(
    '/api/svc/console/realtime',
    page('console.realtime', 'Console: realtime inspector', {
      querystring: RealtimeQuery,
      description: 'WebSockets on this replica, the channels, and an inspector for their messages.',
    }),
    async ({ query: { channel, done: doneKey }, principal }, reply) => {
      const view = {
        figures: services.realtime.metrics(),
        channels: channelsFor(services, principal),
        channel,
        socket,
        isPublished: doneKey === 'published',
      };
      return send(reply, realtimePage(view));
    },
  );
}

/** Publishes to the test channel, like the API's call. */
function publishRoute(app: ConsoleScope, { services: { bus } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/realtime/publish',
    {
      ...form('console.publish', 'Form: publish to test', { body: FormValues }),
      bodyLimit: 16_384,
    },
    async ({ body }, reply) => {
      const { data: received } = parseForm(PublishBody, { data: textOf(body, 'data') ?? '' });
      try {
        await bus.publish(publishChannel, {
          type: 'test.message',
          data: { method: 'POST', received },
        });
      } catch (cause) {
        throw requestErrors.unavailable({ cause });
      }
      return redirectTo(reply, sectionPath('realtime'), { done: 'published' });
    },
  );
}

/** The realtime inspector. The rules of the channels decide who may listen, as on the socket. */
export const realtimeRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  realtimePageRoute(app, options);
  publishRoute(app, options);
};
