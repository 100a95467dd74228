import { z } from 'zod';

const status = z.enum(['pass', 'warn', 'fail']);
const time = z.iso.datetime();

export const LiveView = z
  .object({ status: z.literal('pass') })
  .meta({ id: 'Liveness', description: 'The process is running.' });

const links = z
  .record(z.string(), z.string())
  .describe('Link relations (RFC 8288) and their addresses.');

export const ReadyView = z
  .object({
    status: z.enum(['pass', 'fail']),
    draining: z.boolean().describe('True during shutdown.'),
    reason: z
      .enum(['starting', 'draining', 'check_failed'])
      .nullable()
      .describe('Why the replica is not ready; null if it is ready.'),
    failing: z.array(z.string()).describe('Names of the failing checks.'),
    checks: z
      .record(z.string(), z.array(z.object({ status, time })))
      .describe('The readiness checks, keyed by `component:measurement`, with their last results.'),
  })
  .meta({
    id: 'Readiness',
    description: 'Whether the process accepts requests, and the checks that determine this.',
    examples: [
      {
        status: 'pass',
        draining: false,
        reason: null,
        failing: [],
        checks: {
          'analytics:journal': [{ status: 'pass', time: '2026-05-04T10:15:00.000Z' }],
          'eventLoop:delay': [{ status: 'pass', time: '2026-05-04T10:15:00.000Z' }],
        },
      },
    ],
  });
export type ReadyView = z.output<typeof ReadyView>;

export const CheckView = z
  .object({
    componentId: z.string().optional(),
    componentType: z.enum(['component', 'datastore', 'system']),
    observedValue: z.union([z.number(), z.string()]).optional(),
    observedUnit: z.string().optional().describe('ms, s, bytes, percent or connections.'),
    status,
    affectedEndpoints: z
      .array(z.string())
      .optional()
      .describe('URI templates (RFC 6570) of the affected endpoints. Omitted if the check passed.'),
    time: time.describe('Time of the check.'),
    output: z.string().optional().describe('Why the check did not pass. Omitted if it passed.'),
    links: links.optional(),
  })
  .meta({
    id: 'HealthCheck',
    examples: [
      {
        componentType: 'datastore',
        observedValue: 0.4,
        observedUnit: 'ms',
        status: 'pass',
        time: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type CheckView = z.output<typeof CheckView>;

export const HealthView = z
  .object({
    status: status.describe(
      'The worst result of all checks; also `warn` during startup and shutdown.',
    ),
    version: z.string(),
    releaseId: z.string().optional().describe('Value of RELEASE_ID, if set.'),
    serviceId: z.string(),
    description: z.string(),
    notes: z
      .array(z.string())
      .optional()
      .describe('Why this replica is not ready: `starting`, `draining` or `check_failed`.'),
    output: z.string().optional().describe('Checks that do not pass. Omitted if all pass.'),
    links,
    replica: z
      .string()
      .optional()
      .describe('The responding replica (REPLICA_ID). For admins only.'),
    checks: z
      .record(z.string(), z.array(CheckView))
      .optional()
      .describe('Keys are component:measurement. For admins only.'),
  })
  .meta({
    id: 'Health',
    description: 'The health of the service, by check.',
    examples: [
      {
        status: 'pass',
        version: '0.1.0',
        serviceId: 'platform-service',
        description: 'Platform service',
        links: { about: '/api/docs' },
        checks: {
          'redis:ping': [
            {
              componentType: 'datastore',
              observedValue: 0.4,
              observedUnit: 'ms',
              status: 'pass',
              time: '2026-05-04T10:15:00.000Z',
            },
          ],
        },
      },
    ],
  });
export type HealthView = z.output<typeof HealthView>;

const count = z.int().nullable().describe('Null if the broker is unreachable.');

export const QueueHealthQuery = z.object({
  threshold: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Maximum jobs waiting in a queue before the check fails.'),
});

export const QueueHealthView = z
  .object({
    status: z.enum(['pass', 'fail']),
    broker: z.object({
      kind: z.literal('redis'),
      reachable: z.boolean(),
      latency_ms: z.number().nullable(),
    }),
    handlers: z.array(
      z.object({
        name: z.string(),
        concurrency: z.int(),
        active: count,
        waiting: count,
        delayed: count,
        failed: count,
        oldest_waiting_s: z
          .int()
          .nullable()
          .describe('Age of the oldest waiting job, in seconds; null if none is waiting.'),
        last_success_at: time.nullable().describe('Null if no job has succeeded yet.'),
      }),
    ),
    over_threshold: z.array(z.string()).describe('Names of the queues above `threshold`.'),
  })
  .meta({
    id: 'QueueHealth',
    description: 'The health of the job broker and of each job handler.',
    examples: [
      {
        status: 'pass',
        broker: { kind: 'redis', reachable: true, latency_ms: 0.4 },
        over_threshold: [],
        handlers: [
          {
            name: 'messages',
            concurrency: 10,
            active: 0,
            waiting: 0,
            delayed: 0,
            failed: 0,
            oldest_waiting_s: null,
            last_success_at: '2026-05-04T10:15:00.000Z',
          },
        ],
      },
    ],
  });
export type QueueHealthView = z.output<typeof QueueHealthView>;

export const WebsocketHealthView = z
  .object({
    status: z.enum(['pass', 'fail']),
    enabled: z.boolean().describe('Whether WebSockets are enabled.'),
    endpoints: z.array(
      z.object({
        path: z.string(),
        protocols: z.array(z.string()).describe('Supported subprotocols (RFC 6455 §1.9).'),
        connections: z.int(),
        subscriptions: z.int(),
      }),
    ),
    messages_sent_total: z.int().describe('Since the process started.'),
    slow_disconnects_total: z
      .int()
      .describe('Connections closed because the client read too slowly.'),
    detail: z.string(),
  })
  .meta({
    id: 'WebsocketHealth',
    description: 'The health of the WebSocket layer and of each endpoint.',
    examples: [
      {
        status: 'pass',
        enabled: true,
        endpoints: [
          {
            path: '/ws/status/',
            protocols: ['centrifuge-json'],
            connections: 12,
            subscriptions: 12,
          },
        ],
        messages_sent_total: 4031,
        slow_disconnects_total: 0,
        detail: '12 connections.',
      },
    ],
  });
export type WebsocketHealthView = z.output<typeof WebsocketHealthView>;
