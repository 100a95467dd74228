import type { z } from 'zod';
import { hasScope } from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../platform/errors/errors.ts';
import type { HttpCall } from '../../platform/operations/call.ts';
import { unlimited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import type { Queues } from '../../platform/queues/queues.ts';
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
  type Release,
  websocketHealthView,
} from './views.ts';

/** What the probes read. */
export interface HealthContext {
  health: Health;
  queues: Pick<Queues, 'state'>;
  /** Identify the client for the details of the summary. The other probes do not use them. */
  guards: Pick<Guards, 'optional' | 'peek'>;
  /** Returns the metrics of the WebSocket layer, from memory. */
  realtime: () => RealtimeMetrics;
  release: Release;
  clock: Clock;
}

const operation = operationsOf<HealthContext>({
  scope: 'public',
  tag: 'health',
  limit: unlimited,
  config: { quiet: true, whileClosing: true },
  noStore: false,
  headers: { 'cache-control': 'no-store', vary: 'accept, authorization, cookie' },
});

const inBothTypes = (schema: z.ZodType) => ({
  content: { 'application/json': { schema }, 'application/health+json': { schema } },
});

const passOrFail = (schema: z.ZodType) => ({
  response: { 200: inBothTypes(schema), 503: inBothTypes(schema) },
});

/** Probes. They read the last results of the checks, without I/O. */
export const healthOperations = [
  operation({
    id: 'health.get',
    path: 'GET /api/health',
    summary: 'Get the health of the service',
    description:
      '`pass`, `warn` or `fail` (draft-inadarei-api-health-check-06): 200 for ' +
      '`pass` and `warn`, 503 for `fail`. Admins also get each check. Returns ' +
      '`application/health+json` if the client accepts it.',
    errors: ['request.unauthenticated', 'blackops.invalid_dpop_proof', 'blackops.use_dpop_nonce'],
    schema: passOrFail(HealthView),
    async run({ health, guards, realtime, release, clock }, _, call) {
      const detail = (await isAdmin(call, guards))
        ? detailView(health, release, realtime(), clock.now())
        : {};
      return respond(call, { ...healthView(health, release), ...detail });
    },
  }),
  operation({
    id: 'health.live',
    path: 'GET /api/health/live',
    summary: 'Check liveness',
    description:
      'Responds while the event loop runs, including during shutdown. Does not check ' +
      'any data store. Restart the process after three failures.',
    schema: { response: { 200: inBothTypes(LiveView) } },
    run: (_, _input, call) => respond(call, { status: 'pass' }),
  }),
  operation({
    id: 'health.ready',
    path: 'GET /api/health/ready',
    summary: 'Check readiness',
    description:
      '503 with `Retry-After` while this replica is starting or stopping, when it ' +
      'cannot write events to disk, or when its event loop was blocked; `reason` ' +
      'says which. Becomes 503 as soon as SIGTERM arrives. Covers this replica only: ' +
      'an unreachable PostgreSQL or Redis affects all replicas and does not cause ' +
      '503. See `/api/health`.',
    schema: passOrFail(ReadyView),
    run: ({ health }, _, call) => respond(call, readyView(health)),
  }),
  operation({
    id: 'health.queue',
    path: 'GET /api/health/queue',
    summary: 'Get the health of background jobs',
    description:
      'Whether the broker was reachable at the last check, and the state of each ' +
      'queue. 503 if the broker is unreachable or a queue has more than ' +
      '`threshold` jobs waiting.',
    query: QueueHealthQuery,
    schema: passOrFail(QueueHealthView),
    run: ({ queues }, { threshold }, call) =>
      respond(call, queueHealthView(queues.state(), threshold)),
  }),
  operation({
    id: 'health.websocket',
    path: 'GET /api/health/websocket',
    summary: 'Get the health of WebSockets',
    description:
      'Open connections per endpoint. 503 if WebSockets are disabled, and during shutdown.',
    schema: passOrFail(WebsocketHealthView),
    run: ({ health, realtime }, _, call) =>
      respond(call, websocketHealthView(realtime(), health.isDraining())),
  }),
];

/** Sends 503 for `fail` (the draft demands 4xx or 5xx), 200 for anything else. */
function respond({ request, reply }: HttpCall, view: { status: HealthStatus }): object {
  void reply.type(mediaTypeFor(request.headers.accept));
  if (view.status === 'fail') void reply.code(503).header('retry-after', '5');
  return view;
}

/** Throws 401 for invalid credentials. False when they can't be checked: details are optional. */
async function isAdmin(
  { request }: HttpCall,
  { optional, peek }: HealthContext['guards'],
): Promise<boolean> {
  try {
    if (request.headers.authorization === undefined) return hasScope(await peek(request), 'admin');
    await optional()(request);
    return hasScope(request.principal, 'admin');
  } catch (error) {
    if (error instanceof AppError && error.status === 401) throw error;
    return false;
  }
}
