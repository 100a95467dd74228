import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, DayState } from '../model.ts';
import { describeDay, longDay, shortDay, toneOf } from './page-texts.tsx';

const isUneventful = ({ worst }: DayState): boolean =>
  worst === 'operational' || worst === 'no_data';

/** Days of a component with problems, oldest first. */
const troubledDays = ({ days }: ComponentState): readonly DayState[] =>
  days.filter((day) => !isUneventful(day));

interface Run {
  from: number;
  length: number;
  day: DayState;
}

/** Merges consecutive uneventful days into one path; a dash pattern separates the bars. */
function toRuns(days: readonly DayState[]): Run[] {
  const runs: Run[] = [];
  for (const [at, day] of days.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && isUneventful(day) && last.day.worst === day.worst) last.length += 1;
    else runs.push({ from: at, length: 1, day });
  }
  return runs;
}

function drawRun({ from, length, day }: Run): Html {
  const title = isUneventful(day) ? undefined : (
    <title>
      {escapeHtml(shortDay(day.day))}: {escapeHtml(describeDay(day))}
    </title>
  );
  const path = `M${from * 10} 17h${length * 10}`;
  return title === undefined ? (
    <path class={toneOf(day.worst)} d={path} />
  ) : (
    <path class={toneOf(day.worst)} d={path}>
      {title}
    </path>
  );
}

/** Renders the days of a component as bars, with a short text alternative. */
export function bars(component: ComponentState): Html {
  const { days } = component;
  const troubled = troubledDays(component).length;
  const label = `${days.length} days, ${troubled === 0 ? 'none' : troubled} with problems`;
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${days.length * 10 - 3} 34`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {toRuns(days).map(drawRun)}
    </svg>
  );
}

/** Renders the days with problems as a table, newest first: an accessible form of the bars. */
export function troubledDaysTable(component: ComponentState): Html | undefined {
  const days = troubledDays(component).toReversed();
  if (days.length === 0) return undefined;
  const summary = `${days.length} ${days.length === 1 ? 'day' : 'days'} with problems`;
  const rows = days.map((day) => (
    <tr>
      <th safe>{longDay(day.day)}</th>
      <td safe>{describeDay(day)}</td>
    </tr>
  ));
  return (
    <details id={`days-${component.id}`}>
      <summary>
        {escapeHtml(summary)}
        <span class="spoken"> of {escapeHtml(component.name)}</span>
      </summary>
      <table>
        <thead>
          <tr>
            <th>Day</th>
            <th>What was wrong</th>
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </details>
  );
}
