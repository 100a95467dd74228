import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { channelsFor, consoleSocket } from './channels.ts';
import { readHealth } from './health.ts';
import { healthPage } from './health-page.tsx';
import { readOverview } from './overview.ts';
import { overviewPage } from './overview-page.tsx';
import { publishChannel, realtimePage } from './realtime-page.tsx';

/** The first page of the console. */
export const overviewRoute = page({
  id: 'console.overview',
  path: '/api/svc/console/',
  summary: 'Console: overview',
  description:
    'The status, what waits, visitors, and what happened lately. Redirects to the sign-in page, ' +
    'or to the devices page if the device is not approved (303).',
  async show(context, _input, { request, requester }) {
    const viewer = context.viewerOf(request);
    return overviewPage(await readOverview(context, viewer, requester), viewer);
  },
});

/** The server: load, memory, and what it depends on. */
export const healthRoute = page({
  id: 'console.health',
  path: '/api/svc/console/health',
  summary: 'Console: health',
  description: 'Load, latency and memory of this replica, and the state of what it depends on.',
  show: (context, _input, { request }) =>
    healthPage(readHealth(context), context.viewerOf(request)),
});

/** The realtime inspector. The rules of the channels decide who may listen, as on the socket. */
export const realtimeRoutes = [
  page({
    id: 'console.realtime',
    path: '/api/svc/console/realtime',
    summary: 'Console: realtime inspector',
    description: 'WebSockets on this replica, the channels, and an inspector for their messages.',
    query: z.object({
      channel: z.string().max(128).default(publishChannel).describe('The channel to listen to.'),
      done,
    }),
    show: (context, { channel, done: doneKey }, { request }) =>
      realtimePage({
        figures: context.realtime.metrics(),
        channels: channelsFor(context, request.principal),
        listening: context.realtime.listening(),
        channel,
        socket: `${context.baseUrl.replace(/^http/, 'ws')}${consoleSocket}`,
        isPublished: doneKey === 'published',
      }),
  }),
  form({
    id: 'console.publish',
    path: '/api/svc/console/realtime/publish',
    summary: 'Form: publish to the test channel',
    bodyLimit: 16_384,
    body: z.object({ data: z.string().max(4000).default('').transform(parseJson) }),
    async run({ bus }, { data: received }) {
      const message = { type: 'test.message', data: { method: 'POST', received } };
      await bus.publish(publishChannel, message).catch((cause: unknown) => {
        throw requestErrors.unavailable({ cause });
      });
    },
    to: sectionPath('realtime'),
    done: 'published',
  }),
];

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}
