import type { ConsoleContext } from '../context.ts';
import type { HealthPageView, ServiceFigures } from './health-page.tsx';

function serviceFigures({
  clock,
  meter,
  queues,
  health,
  realtime,
}: ConsoleContext): ServiceFigures {
  const { broker, handlers } = queues.state();
  const sum = (valueOf: (handler: (typeof handlers)[number]) => number | null) =>
    broker.reachable ? handlers.reduce((all, each) => all + (valueOf(each) ?? 0), 0) : null;
  return {
    ...meter.figures(),
    sockets: realtime.metrics().endpoints.reduce((all, { connections }) => all + connections, 0),
    queued: sum(({ waiting, active }) => (waiting ?? 0) + (active ?? 0)),
    failedJobs: sum(({ failed }) => failed),
    loop: health.loopPercent(),
    memory: process.memoryUsage.rss(),
    uptimeSeconds: (clock.now() - health.startedAt) / 1000,
  };
}

/** Reads the health of this replica: no I/O, the checks run on timers. */
export const readHealth = (context: ConsoleContext): HealthPageView => ({
  service: serviceFigures(context),
  checks: context.health.checks(),
});
