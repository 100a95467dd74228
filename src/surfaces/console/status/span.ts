import type { IncidentState } from '../../../areas/status/model.ts';

type Timed = Pick<
  IncidentState,
  'kind' | 'createdAt' | 'resolvedAt' | 'scheduledFor' | 'scheduledUntil'
>;

/**
 * Seconds that an incident lasted, to now while it is open; of a maintenance, those of its window.
 * `now`: Unix ms.
 */
export function secondsOf(incident: Timed, now: number): number {
  const { kind, createdAt, resolvedAt, scheduledFor, scheduledUntil } = incident;
  const [from, until] =
    kind === 'maintenance'
      ? [scheduledFor ?? createdAt, scheduledUntil ?? createdAt]
      : [createdAt, resolvedAt ?? now];
  const seconds = Math.max(0, Math.round((until - from) / 1000));
  // From a minute on, seconds say nothing about an outage.
  return seconds < 60 ? seconds : Math.round(seconds / 60) * 60;
}
