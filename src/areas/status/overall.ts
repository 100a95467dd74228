import type { ComponentStatus, Impact, Indicator, StatusState } from './model.ts';

const descriptions: Readonly<Record<Indicator, string>> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
};

const order: readonly Indicator[] = ['none', 'maintenance', 'minor', 'major', 'critical'];
const componentIndicators: Readonly<Record<ComponentStatus, Indicator>> = {
  operational: 'none',
  under_maintenance: 'maintenance',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'major',
};

/**
 * Returns the overall indicator, as in Statuspage: the worst of all components and of the impacts
 * of open incidents; critical when every component has a major outage.
 */
export function overall(
  components: readonly ComponentStatus[],
  impacts: readonly Impact[],
): { indicator: Indicator; description: string } {
  const isAllDown =
    components.length > 0 && components.every((status) => status === 'major_outage');
  const all: readonly Indicator[] = [
    isAllDown ? 'critical' : 'none',
    ...components.map((status) => componentIndicators[status]),
    ...impacts,
  ];
  const indicator = order[Math.max(...all.map((each) => order.indexOf(each)))] ?? 'none';
  return { indicator, description: descriptions[indicator] };
}

/** Until when the state is known to be true, in Unix ms: its last check, or its last change. */
export const knownUntil = ({
  updatedAt,
  checkedAt,
}: Pick<StatusState, 'updatedAt' | 'checkedAt'>): number => Math.max(updatedAt, checkedAt ?? 0);
