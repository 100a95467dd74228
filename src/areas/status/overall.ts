import type { ComponentStatus, Impact, Indicator } from './model.ts';

const descriptions: Readonly<Record<Indicator, string>> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
};

const order: readonly Indicator[] = ['none', 'maintenance', 'minor', 'major', 'critical'];
const asBadAs: Readonly<Record<ComponentStatus, Indicator>> = {
  operational: 'none',
  under_maintenance: 'maintenance',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'major',
};

/**
 * The state of the whole in the words of Statuspage: as bad as its worst component and the impact
 * of its open incidents; critical when every component has a major outage.
 */
export function overall(
  components: readonly ComponentStatus[],
  impacts: readonly Impact[],
): { indicator: Indicator; description: string } {
  const isAllDown =
    components.length > 0 && components.every((status) => status === 'major_outage');
  const all: readonly Indicator[] = [
    isAllDown ? 'critical' : 'none',
    ...components.map((status) => asBadAs[status]),
    ...impacts,
  ];
  const indicator = order[Math.max(...all.map((each) => order.indexOf(each)))] ?? 'none';
  return { indicator, description: descriptions[indicator] };
}
