import type { Health } from '../health/service.ts';
import type { Component, StatusSummary } from './schemas.ts';

const componentStatus = { pass: 'operational', warn: 'degraded_performance', fail: 'major_outage' } as const;

type CheckState = ReturnType<Health['checks']>[number];

function toComponent({ name, title, status, isKnown, changedAt }: CheckState, position: number, startedAt: number): Component {
  return {
    id: name.replace(':', '-'),
    name: title,
    description: null,
    status: componentStatus[isKnown ? status : 'warn'],
    group: false,
    group_id: null,
    position,
    only_show_if_degraded: false,
    created_at: new Date(startedAt).toISOString(),
    updated_at: new Date(changedAt).toISOString(),
  };
}

function overall(components: readonly Component[]): StatusSummary['status'] {
  const down = components.filter(({ status }) => status === 'major_outage').length;
  if (down > 0 && down === components.length) return { indicator: 'critical', description: 'Major System Outage' };
  if (down > 0) return { indicator: 'major', description: 'Partial System Outage' };
  const isDegraded = components.some(({ status }) => status !== 'operational');
  if (isDegraded) return { indicator: 'minor', description: 'Partially Degraded Service' };
  return { indicator: 'none', description: 'All Systems Operational' };
}

/** The public state of the service, as far as the health checks know it. There are no incidents to report yet. */
export function createStatus({ health, baseUrl }: { health: Pick<Health, 'checks' | 'startedAt'>; baseUrl: string }) {
  return {
    summary(): StatusSummary {
      const checks = health.checks();
      const components = checks.map((check, index) => toComponent(check, index + 1, health.startedAt));
      const updatedAt = Math.max(health.startedAt, ...checks.map(({ changedAt }) => changedAt));
      return {
        page: {
          id: 'platform-service',
          name: 'Platform Service',
          url: new URL('/status', baseUrl).href,
          time_zone: 'Etc/UTC',
          updated_at: new Date(updatedAt).toISOString(),
        },
        status: overall(components),
        components,
        incidents: [],
        scheduled_maintenances: [],
      };
    },
  };
}

export type Status = ReturnType<typeof createStatus>;
