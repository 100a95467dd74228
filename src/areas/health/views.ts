import type { QueueState } from '../../platform/queues/types.ts';
import type { CheckState } from './monitor.ts';
import type { CheckView, HealthView, QueueHealthView, WebsocketHealthView } from './schemas.ts';
import type { Health } from './service.ts';

export interface Release {
  version: string;
  releaseId?: string;
}

const iso = (ms: number) => new Date(ms).toISOString();

function checkView({ name, componentType, status, checkedAt, isKnown, result }: CheckState): CheckView {
  const { observedValue, observedUnit, output } = result;
  return {
    componentId: name.split(':')[0],
    componentType,
    status,
    time: iso(checkedAt),
    ...(observedValue === undefined ? {} : { observedValue }),
    ...(observedUnit === undefined ? {} : { observedUnit }),
    ...(isKnown ? {} : { output: 'not checked yet' }),
    ...(output === undefined || status === 'pass' ? {} : { output }),
  };
}

function systemChecks(health: Health, now: number): Record<string, CheckView[]> {
  const system = { componentType: 'system', status: 'pass', time: iso(now) } as const;
  return {
    uptime: [{ ...system, observedValue: Math.round((now - health.startedAt) / 1000), observedUnit: 's' }],
    'memory:utilization': [{ ...system, observedValue: process.memoryUsage.rss(), observedUnit: 'bytes' }],
  };
}

/** The health object of draft-inadarei-api-health-check-06; `detailed` adds the checks. */
export function healthView(health: Health, release: Release, detailed: boolean, now: number): HealthView {
  const checks = Object.fromEntries(health.checks().map((state) => [state.name, [checkView(state)]]));
  return {
    status: health.status(),
    ...release,
    serviceId: 'platform-service',
    description: 'health of the platform service',
    ...(health.isDraining() ? { notes: ['draining'] } : {}),
    ...(detailed ? { checks: { ...checks, ...systemChecks(health, now) } } : {}),
  };
}

/** The broker and its queues; fails without the broker, and when more than `threshold` jobs wait in one queue. */
export function queueHealthView({ broker, handlers }: QueueState, threshold: number | undefined): QueueHealthView {
  const over = handlers.filter(({ waiting }) => threshold !== undefined && waiting !== null && waiting > threshold);
  const overThreshold = over.map(({ name }) => name);
  return { status: broker.reachable && overThreshold.length === 0 ? 'pass' : 'fail', broker, handlers, over_threshold: overThreshold };
}

/** What the probe says as long as there is no WebSocket layer: nothing is broken, there is nothing yet. */
export const websocketsNotEnabled: WebsocketHealthView = {
  status: 'pass',
  enabled: false,
  endpoints: [],
  messages_sent_total: 0,
  slow_disconnects_total: 0,
  detail: 'The WebSocket layer is not enabled yet.',
};
