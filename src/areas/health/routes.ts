import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../platform/errors/errors.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { hasScope } from '../../lib/access.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { answerWith } from '../../platform/http/security.ts';
import type { Guards } from '../identity/sessions/guards.ts';
import { mediaTypeFor } from './media-type.ts';
import type { HealthStatus } from './monitor.ts';
import type { RealtimeMetrics } from './realtime.ts';
import {
  HealthView,
  LiveView,
  QueueHealthQuery,
  QueueHealthView,
  ReadyView,
  WebsocketHealthView,
} from './schemas.ts';
import type { Health } from './service.ts';
import {
  detailView,
  healthView,
  queueHealthView,
  readyView,
  websocketHealthView,
} from './views.ts';
import type { Release } from './views.ts';

type IdentityGuards = Pick<Guards, 'optional' | 'peek'>;

export interface HealthRoutesOptions {
  health: Health;
  queues: Pick<Queues, 'state'>;
  /** Identify the client for the details of the summary. The other probes do not use them. */
  guards: IdentityGuards;
  /** Returns the metrics of the WebSocket layer, from memory. */
  realtime: () => RealtimeMetrics;
  release: Release;
  clock: Clock;
}

const tags = ['health'];
const config = { quiet: true, whileClosing: true };

const inBothTypes = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema }, 'application/health+json': { schema } },
});

const passOrFail = <Schema extends z.ZodType>(schema: Schema) => ({
  200: inBothTypes(schema),
  503: inBothTypes(schema),
});

/** Sends 503 for `fail` (the draft demands 4xx or 5xx), 200 for anything else. */
function answer<View extends { status: HealthStatus }>(
  request: FastifyRequest,
  reply: FastifyReply,
  view: View,
): View {
  reply.type(mediaTypeFor(request.headers.accept));
  if (view.status === 'fail') void reply.code(503).header('retry-after', '5');
  return view;
}

async function identify(
  request: FastifyRequest,
  { optional, peek }: IdentityGuards,
): Promise<Principal | undefined> {
  if (request.headers.authorization === undefined) return peek(request);
  await optional()(request);
  return request.principal;
}

/** Throws 401 for invalid credentials. False when they can't be checked: details are optional. */
async function isAdmin(request: FastifyRequest, guards: IdentityGuards): Promise<boolean> {
  const principal = await identify(request, guards).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 401) throw error;
    return undefined;
  });
  return hasScope(principal, 'admin');
}

function summaryProbe(
  app: ZodApp,
  { health, guards, realtime, release, clock }: HealthRoutesOptions,
): void {
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'health.get',
        summary: 'Get the health of the service',
        description:
          '`pass`, `warn` or `fail` (draft-inadarei-api-health-check-06): 200 for ' +
          '`pass` and `warn`, 503 for `fail`. Admins also get each check. Returns ' +
          '`application/health+json` if the client accepts it.',
        tags,
        errors: [
          'request.unauthenticated',
          'blackops.invalid_dpop_proof',
          'blackops.use_dpop_nonce',
        ],
        response: passOrFail(HealthView),
      },
    },
    async (request, reply) => {
      const detail = (await isAdmin(request, guards))
        ? detailView(health, release, realtime(), clock.now())
        : {};
      return answer(request, reply, { ...healthView(health, release), ...detail });
    },
  );
}

/** The liveness and readiness probes. */
function processProbes(app: ZodApp, { health }: HealthRoutesOptions): void {
  app.get(
    '/live',
    {
      config,
      schema: {
        operationId: 'health.live',
        summary: 'Check liveness',
        description:
          'Responds while the event loop runs, including during shutdown. Does not check ' +
          'any data store. Restart the process after three failures.',
        tags,
        response: { 200: inBothTypes(LiveView) },
      },
    },
    async (request, reply) => answer(request, reply, { status: 'pass' as const }),
  );

  app.get(
    '/ready',
    {
      config,
      schema: {
        operationId: 'health.ready',
        summary: 'Check readiness',
        description:
          '503 with `Retry-After` while this replica is starting or stopping, when it ' +
          'cannot write events to disk, or when its event loop was blocked; `reason` ' +
          'says which. Becomes 503 as soon as SIGTERM arrives. Covers this replica only: ' +
          'an unreachable PostgreSQL or Redis affects all replicas and does not cause ' +
          '503. See `/api/health`.',
        tags,
        response: passOrFail(ReadyView),
      },
    },
    async (request, reply) => answer(request, reply, readyView(health)),
  );
}

function queueProbe(app: ZodApp, { queues }: HealthRoutesOptions): void {
  app.get(
    '/queue',
    {
      config,
      schema: {
        operationId: 'health.queue',
        summary: 'Get the health of background jobs',
        description:
          'Whether the broker was reachable at the last check, and the state of each ' +
          'queue. 503 if the broker is unreachable or a queue has more than ' +
          '`threshold` jobs waiting.',
        tags,
        querystring: QueueHealthQuery,
        response: passOrFail(QueueHealthView),
      },
    },
    async (request, reply) =>
      answer(request, reply, queueHealthView(queues.state(), request.query.threshold)),
  );
}

function websocketProbe(app: ZodApp, { health, realtime }: HealthRoutesOptions): void {
  app.get(
    '/websocket',
    {
      config,
      schema: {
        operationId: 'health.websocket',
        summary: 'Get the health of WebSockets',
        description:
          'Open connections per endpoint. 503 if WebSockets are disabled, and during shutdown.',
        tags,
        response: passOrFail(WebsocketHealthView),
      },
    },
    async (request, reply) =>
      answer(request, reply, websocketHealthView(realtime(), health.isDraining())),
  );
}

/** Probes. They read the last results of the checks, without I/O. */
export const healthRoutes: FastifyPluginAsyncZod<HealthRoutesOptions> = async (app, options) => {
  answerWith(app, { 'cache-control': 'no-store', vary: 'accept, authorization, cookie' });
  summaryProbe(app, options);
  processProbes(app, options);
  queueProbe(app, options);
  websocketProbe(app, options);
};
