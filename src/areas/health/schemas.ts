import { z } from 'zod';

const status = z.enum(['pass', 'warn', 'fail']);
const time = z.iso.datetime();

export const LiveView = z.object({ status: z.literal('pass') }).meta({ id: 'Liveness' });

export const ReadyView = z.object({
  status: z.enum(['pass', 'fail']),
  draining: z.boolean().describe('True once the service has begun to stop.'),
  reason: z.enum(['starting', 'draining', 'check_failed']).nullable(),
  failing: z.array(z.string()).describe('Names of the checks that stand in the way.'),
}).meta({ id: 'Readiness' });

export const CheckView = z.object({
  componentId: z.string().optional(),
  componentType: z.enum(['component', 'datastore', 'system']),
  observedValue: z.union([z.number(), z.string()]).optional(),
  observedUnit: z.string().optional(),
  status,
  time,
  output: z.string().optional().describe('Why it did not pass.'),
}).meta({ id: 'HealthCheck' });
export type CheckView = z.output<typeof CheckView>;

export const HealthView = z.object({
  status,
  version: z.string(),
  releaseId: z.string().optional(),
  serviceId: z.string(),
  description: z.string(),
  notes: z.array(z.string()).optional(),
  checks: z.record(z.string(), z.array(CheckView)).optional().describe('Keys are component:measurement. For admins only.'),
}).meta({ id: 'Health' });
export type HealthView = z.output<typeof HealthView>;

const count = z.int().nullable();

export const QueueHealthQuery = z.object({
  threshold: z.coerce.number().int().min(0).optional().describe('Fail when a queue has more jobs waiting than this.'),
});

export const QueueHealthView = z.object({
  status: z.enum(['pass', 'fail']),
  broker: z.object({ kind: z.literal('redis'), reachable: z.boolean(), latency_ms: z.number().nullable() }),
  handlers: z.array(z.object({
    name: z.string(),
    concurrency: z.int(),
    active: count,
    waiting: count,
    delayed: count,
    failed: count,
    oldest_waiting_s: count,
    last_success_at: time.nullable(),
  })),
  over_threshold: z.array(z.string()).describe('Names of the queues above `threshold`.'),
}).meta({ id: 'QueueHealth' });
export type QueueHealthView = z.output<typeof QueueHealthView>;

export const WebsocketHealthView = z.object({
  status: z.enum(['pass', 'fail']),
  enabled: z.boolean(),
  endpoints: z.array(z.object({
    path: z.string(),
    protocols: z.array(z.string()),
    connections: z.int(),
    subscriptions: z.int(),
  })),
  messages_sent_total: z.int(),
  slow_disconnects_total: z.int(),
  detail: z.string(),
}).meta({ id: 'WebsocketHealth' });
export type WebsocketHealthView = z.output<typeof WebsocketHealthView>;
