import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { type Change, ChangeNote } from './stat.tsx';

export interface StatTab {
  label: string;
  /** Formatted. */
  value: string;
  change?: Change | undefined;
  /** Oldest first. */
  trend?: readonly number[] | undefined;
  href: string;
  isCurrent: boolean;
}

export interface StatTabsOptions {
  label: string;
  tabs: readonly StatTab[];
}

const statTab = ({ label, value, change, trend = [], href, isCurrent }: StatTab): Html => (
  <li>
    <a href={href} aria-current={isCurrent ? 'true' : undefined} data-soft>
      <span class="stat-label">{escapeHtml(label)}</span>
      <strong class="stat-value">{escapeHtml(value)}</strong>
      {change && <ChangeNote {...change} />}
      <Sparkline values={trend} />
    </a>
  </li>
);

/**
 * Figures that are tabs: the chosen one is drawn in the chart below. They are links; the script of
 * the console follows one without loading the page anew.
 */
export const StatTabs = ({ label, tabs }: StatTabsOptions): Html => (
  <nav class="stat-tabs" aria-label={label}>
    <ul>{tabs.map(statTab)}</ul>
  </nav>
);
