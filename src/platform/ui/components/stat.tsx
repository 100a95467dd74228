import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { Icon } from '../icon.tsx';

export interface Change {
  /** With its sign, such as `+3.1%`. */
  text: string;
  direction: 'up' | 'down' | 'same';
  isGood: boolean;
}

/** How a figure has changed: an arrow, a signed number and a colour. */
export function ChangeNote({ text, direction, isGood }: Change): Html {
  if (direction === 'same') return <span class="change">{escapeHtml(text)}</span>;
  return (
    <span class={isGood ? 'change change-ok' : 'change change-bad'}>
      <Icon name={direction === 'up' ? 'arrow-up' : 'arrow-down'} />
      {escapeHtml(text)}
    </span>
  );
}

export interface StatOptions {
  label: string;
  /** Formatted. */
  value: string;
  /** Replaces the value where it is more than text, such as a time. */
  content?: Html | undefined;
  /** The colour of the edge, for a figure that needs attention. */
  tone?: 'warn' | 'bad' | undefined;
  change?: Change | undefined;
  note?: string | undefined;
  /** Replaces the note where it is more than text. */
  noteContent?: Html | undefined;
  trend?: readonly number[] | undefined;
  /** Makes the whole tile a link. */
  href?: string | undefined;
}

/** A figure with its name, its change and its course. */
function Stat(options: StatOptions): Html {
  const { label, value, content, change, note, noteContent, trend = [], href, tone } = options;
  const name = href === undefined ? escapeHtml(label) : <a href={href}>{escapeHtml(label)}</a>;
  return (
    <li class={tone === undefined ? 'stat' : `stat stat-${tone}`}>
      <span class="stat-label">{name}</span>
      <strong class="stat-value">{content ?? escapeHtml(value)}</strong>
      {change && <ChangeNote {...change} />}
      {(noteContent ?? note) !== undefined && (
        <span class="hint">{noteContent ?? escapeHtml(note ?? '')}</span>
      )}
      <Sparkline values={trend} label={`${label}: ${trend.join(', ')}`} />
    </li>
  );
}

export interface StatsOptions {
  /** Needed where the figures are live. */
  id?: string;
  /** A heading for screen readers. */
  label: string;
  all: readonly StatOptions[];
  /** The console updates the figures when they have changed. */
  isLive?: boolean;
}

/** Figures side by side. */
export const Stats = ({ id, label, all, isLive = false }: StatsOptions): Html => (
  <>
    <h2 class="visually-hidden">{escapeHtml(label)}</h2>
    <ul class="stats" id={id} data-live={isLive}>
      {all.map((each) => (
        <Stat {...each} />
      ))}
    </ul>
  </>
);
