import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { hasScope } from '../../platform/identity.ts';
import type { Queues } from '../../platform/queues.ts';
import type { HealthStatus } from './monitor.ts';
import { HealthView, LiveView, QueueHealthQuery, QueueHealthView, ReadyView, WebsocketHealthView } from './schemas.ts';
import type { Health } from './service.ts';
import { healthView, queueHealthView, websocketsNotEnabled } from './views.ts';
import type { Release } from './views.ts';

export interface HealthRoutesOptions {
  health: Health;
  queues: Pick<Queues, 'state'>;
  release: Release;
  clock: Clock;
}

const tags = ['health'];
const mediaType = 'application/health+json';

interface Headers {
  header: (name: string, value: string) => unknown;
}

/** Failing is 503 (the draft asks for 4xx or 5xx), anything else 200. */
function httpStatus(status: HealthStatus, reply: Headers): 200 | 503 {
  if (status !== 'fail') return 200;
  reply.header('retry-after', '5');
  return 503;
}

function negotiate(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store').header('vary', 'accept');
  if (request.headers.accept?.includes(mediaType) === true) reply.type(mediaType);
}

/** Probes. They read what the checks found last, and ask nobody. */
export const healthRoutes: FastifyPluginAsyncZod<HealthRoutesOptions> = async (app, { health, queues, release, clock }) => {
  app.addHook('preHandler', (request, reply, done) => {
    negotiate(request, reply);
    done();
  });

  app.get('/', {
    config: { quiet: true },
    schema: {
      operationId: 'health.get',
      summary: 'Health of the whole service',
      description: 'pass, warn or fail, by draft-inadarei-api-health-check-06. With an admin key also every check.',
      tags,
      response: { 200: HealthView, 503: HealthView },
    },
  }, async (request, reply) => {
    const view = healthView(health, release, hasScope(request.principal, 'admin'), clock.now());
    void reply.code(httpStatus(view.status, reply));
    return view;
  });

  app.get('/live', {
    config: { quiet: true },
    schema: {
      operationId: 'health.live',
      summary: 'Is the process alive',
      description: 'Answers as long as the event loop turns, also while the service stops. Looks at no store.',
      tags,
      response: { 200: LiveView },
    },
  }, async () => ({ status: 'pass' as const }));

  app.get('/ready', {
    config: { quiet: true },
    schema: {
      operationId: 'health.ready',
      summary: 'May requests be sent here',
      description: '503 while the service starts, stops, or lacks a store that it cannot do without; `reason` says which.',
      tags,
      response: { 200: ReadyView, 503: ReadyView },
    },
  }, async (_request, reply) => {
    const view = health.ready();
    void reply.code(httpStatus(view.status, reply));
    return view;
  });

  app.get('/queue', {
    config: { quiet: true },
    schema: {
      operationId: 'health.queue',
      summary: 'Job broker and job handlers',
      description: 'Whether the broker was reachable at the last check, and the state of every queue.',
      tags,
      querystring: QueueHealthQuery,
      response: { 200: QueueHealthView, 503: QueueHealthView },
    },
  }, async (request, reply) => {
    const view = queueHealthView(queues.state(), request.query.threshold);
    void reply.code(httpStatus(view.status, reply));
    return view;
  });

  app.get('/websocket', {
    config: { quiet: true },
    schema: {
      operationId: 'health.websocket',
      summary: 'WebSocket layer and its endpoints',
      description: 'Whether the WebSocket layer is enabled, and what is connected to it.',
      tags,
      response: { 200: WebsocketHealthView, 503: WebsocketHealthView },
    },
  }, async (_request, reply) => {
    void reply.code(httpStatus(websocketsNotEnabled.status, reply));
    return websocketsNotEnabled;
  });
};
