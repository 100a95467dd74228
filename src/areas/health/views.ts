import type { QueueState } from '../../platform/queues/types.ts';
import type { CheckState } from './monitor.ts';
import type { RealtimeMetrics } from './realtime.ts';
import type {
  CheckView,
  HealthView,
  QueueHealthView,
  ReadyView,
  WebsocketHealthView,
} from './schemas.ts';
import type { Health } from './service.ts';

export interface Release {
  version: string;
  releaseId?: string | undefined;
  /** REPLICA_ID, shown to admins. */
  replica?: string | undefined;
}

/** Related documents. */
const links = { self: '/api/health', about: '/api/docs', status: '/api/status' };

const iso = (ms: number) => new Date(ms).toISOString();

/** The members that the draft leaves out of a check that passed. */
function failureDetails({
  status,
  isKnown,
  affectedEndpoints,
  result,
}: CheckState): Partial<CheckView> {
  if (status === 'pass') return {};
  const output = isKnown ? result.output : 'not checked yet';
  return {
    ...(affectedEndpoints.length === 0 ? {} : { affectedEndpoints: [...affectedEndpoints] }),
    ...(output === undefined ? {} : { output }),
  };
}

function checkView(state: CheckState): CheckView {
  const { observedValue, observedUnit } = state.result;
  return {
    componentId: state.name.split(':')[0],
    componentType: state.componentType,
    ...(observedValue === undefined ? {} : { observedValue }),
    ...(observedUnit === undefined ? {} : { observedUnit }),
    status: state.status,
    time: iso(state.checkedAt),
    ...failureDetails(state),
    ...(state.links === undefined ? {} : { links: state.links }),
  };
}

function connectionsCheck(
  { enabled, endpoints }: RealtimeMetrics,
  time: string,
): Record<string, CheckView[]> {
  if (!enabled) return {};
  const observedValue = endpoints.reduce((sum, { connections }) => sum + connections, 0);
  const check = {
    componentId: 'websocket',
    componentType: 'component',
    status: 'pass',
    time,
    observedValue,
    observedUnit: 'connections',
  } as const;
  return { 'websocket:connections': [{ ...check, links: { about: '/api/health/websocket' } }] };
}

function systemChecks(health: Health, now: number): Record<string, CheckView[]> {
  const system = { componentType: 'system', status: 'pass', time: iso(now) } as const;
  return {
    uptime: [
      { ...system, observedValue: Math.round((now - health.startedAt) / 1000), observedUnit: 's' },
    ],
    'memory:utilization': [
      {
        ...system,
        componentId: 'memory',
        observedValue: process.memoryUsage.rss(),
        observedUnit: 'bytes',
      },
    ],
    'eventLoop:utilization': [
      {
        ...system,
        componentId: 'eventLoop',
        observedValue: health.loopPercent(),
        observedUnit: 'percent',
      },
    ],
  };
}

/** Disabled protections: shown to admins, without effect on the public status. */
function settingsCheck({ warnings }: Health, now: number): Record<string, CheckView[]> {
  const check = { componentType: 'system', time: iso(now) } as const;
  const found = warnings.map(({ variable, message }) => ({
    ...check,
    componentId: variable,
    status: 'warn' as const,
    output: `${variable} ${message}`,
  }));
  return { 'settings:protection': found.length === 0 ? [{ ...check, status: 'pass' }] : found };
}

/** All checks with their last results. For admins: the results contain error messages. */
export function checksView(
  health: Health,
  realtime: RealtimeMetrics,
  now: number,
): Record<string, CheckView[]> {
  const checks = Object.fromEntries(
    health.checks().map((state) => [state.name, [checkView(state)]]),
  );
  return {
    ...checks,
    ...connectionsCheck(realtime, iso(now)),
    ...systemChecks(health, now),
    ...settingsCheck(health, now),
  };
}

/** The additional members for admins: the replica that answered, and every check. */
export function detailView(
  health: Health,
  { replica }: Release,
  realtime: RealtimeMetrics,
  now: number,
): Pick<HealthView, 'replica' | 'checks'> {
  return {
    ...(replica === undefined ? {} : { replica }),
    checks: checksView(health, realtime, now),
  };
}

/** The health object of draft-inadarei-api-health-check-06, without its checks. */
export function healthView(health: Health, release: Release): HealthView {
  const { reason } = health.ready();
  const problems = health
    .checks()
    .filter(({ status }) => status !== 'pass')
    .map(({ name, status }) => `${name} ${status}`);
  return {
    status: health.status(),
    version: release.version,
    ...(release.releaseId === undefined ? {} : { releaseId: release.releaseId }),
    serviceId: 'platform-service',
    description: 'health of the platform service',
    ...(reason === null ? {} : { notes: [reason] }),
    ...(problems.length === 0 ? {} : { output: problems.join(', ') }),
    links,
  };
}

/** Readiness with the status of each gate. Public, so without error messages. */
export function readyView(health: Health): ReadyView {
  const gates = health.checks().filter(({ gate }) => gate);
  return {
    ...health.ready(),
    checks: Object.fromEntries(
      gates.map(({ name, status, checkedAt }) => [name, [{ status, time: iso(checkedAt) }]]),
    ),
  };
}

/** Fails without the broker, and when more than `threshold` jobs wait in one queue. */
export function queueHealthView(
  { broker, handlers }: QueueState,
  threshold: number | undefined,
): QueueHealthView {
  const over = handlers.filter(
    ({ waiting }) => threshold !== undefined && waiting !== null && waiting > threshold,
  );
  const overThreshold = over.map(({ name }) => name);
  return {
    status: broker.reachable && overThreshold.length === 0 ? 'pass' : 'fail',
    broker,
    handlers,
    over_threshold: overThreshold,
  };
}

function websocketDetail(enabled: boolean, draining: boolean): string {
  if (!enabled) return 'The WebSocket layer is not enabled.';
  return draining
    ? 'The service stops: open no new connections here.'
    : 'The WebSocket layer is enabled.';
}

/** Fails without a WebSocket layer, and while the service drains. */
export function websocketHealthView(
  figures: RealtimeMetrics,
  draining: boolean,
): WebsocketHealthView {
  const { enabled, endpoints } = figures;
  return {
    status: enabled && !draining ? 'pass' : 'fail',
    enabled,
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, protocols: [...endpoint.protocols] })),
    messages_sent_total: figures.messages_sent_total,
    slow_disconnects_total: figures.slow_disconnects_total,
    detail: websocketDetail(enabled, draining),
  };
}
