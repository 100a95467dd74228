import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon } from '../icon.tsx';

const width = 96;
const height = 28;

interface SparklineOptions {
  /** Oldest first. Fewer than two values draw nothing. */
  values: readonly number[];
  /** What the line shows, for screen readers. */
  label: string;
}

/** A line without axes, from zero to the largest value. */
function Sparkline({ values, label }: SparklineOptions): Html {
  if (values.length < 2) return <></>;
  const max = Math.max(...values, 1);
  const points = values.map((value, at) => {
    const x = Math.round((at * width) / (values.length - 1));
    return `${x} ${Math.round(height - 1 - (value * (height - 2)) / max)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}

interface Change {
  /** Such as `3.1%`, without a sign. */
  text: string;
  direction: 'up' | 'down';
  isGood: boolean;
}

/** How a figure has changed: an arrow, a sign and a colour. */
const ChangeNote = ({ text, direction, isGood }: Change): Html => (
  <span class={isGood ? 'change change-ok' : 'change change-bad'}>
    <Icon name={direction === 'up' ? 'arrow-up' : 'arrow-down'} />
    {direction === 'up' ? '+' : '−'}
    {escapeHtml(text)}
  </span>
);

export interface StatOptions {
  label: string;
  /** Formatted. */
  value: string;
  change?: Change | undefined;
  note?: string | undefined;
  trend?: readonly number[] | undefined;
  /** Makes the whole tile a link. */
  href?: string | undefined;
}

/** A figure with its name, its change and its course. */
function Stat({ label, value, change, note, trend = [], href }: StatOptions): Html {
  const name = href === undefined ? escapeHtml(label) : <a href={href}>{escapeHtml(label)}</a>;
  return (
    <li class="stat">
      <span class="stat-label">{name}</span>
      <strong class="stat-value" safe>
        {value}
      </strong>
      {change && <ChangeNote {...change} />}
      {note !== undefined && <span class="hint">{escapeHtml(note)}</span>}
      <Sparkline values={trend} label={`${label}: ${trend.join(', ')}`} />
    </li>
  );
}

/** Figures side by side. */
export const Stats = ({ label, all }: { label: string; all: readonly StatOptions[] }): Html => (
  <ul class="stats" aria-label={label}>
    {all.map((each) => (
      <Stat {...each} />
    ))}
  </ul>
);
