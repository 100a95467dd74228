import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, DayState } from '../model.ts';
import { dayWords, longDay, shortDay, toneOf } from './page-texts.ts';

const isQuiet = ({ worst }: DayState): boolean => worst === 'operational' || worst === 'no_data';

/** Days of a component on which something was wrong, oldest first. */
const troubledDays = ({ days }: ComponentState): readonly DayState[] =>
  days.filter((day) => !isQuiet(day));

interface Run {
  from: number;
  length: number;
  day: DayState;
}

/** Quiet days that follow one another are drawn as one: dashes make bars of them. */
function runsOf(days: readonly DayState[]): Run[] {
  const runs: Run[] = [];
  for (const [at, day] of days.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && isQuiet(day) && last.day.worst === day.worst) last.length += 1;
    else runs.push({ from: at, length: 1, day });
  }
  return runs;
}

function drawn({ from, length, day }: Run): Html {
  const title = isQuiet(day)
    ? undefined
    : html`<title>${shortDay(day.day)}: ${dayWords(day)}</title>`;
  const path = `M${from * 10} 17h${length * 10}`;
  return title === undefined
    ? html`<path class="${toneOf(day.worst)}" d="${path}"/>`
    : html`<path class="${toneOf(day.worst)}" d="${path}">${title}</path>`;
}

/** The days of a component as bars; the words beside them say the same in short. */
export function bars(component: ComponentState): Html {
  const { days } = component;
  const troubled = troubledDays(component).length;
  const label = `${days.length} days, ${troubled === 0 ? 'none' : troubled} with problems`;
  return html`<svg class="bars" viewBox="0 0 ${days.length * 10 - 3} 34" preserveAspectRatio="none"
role="img" aria-label="${label}">${runsOf(days).map(drawn)}</svg>`;
}

/** The days with problems as a table, newest first, for who can't see bars. */
export function troubledDaysTable(component: ComponentState): Html | undefined {
  const days = troubledDays(component).toReversed();
  if (days.length === 0) return undefined;
  const summary = `${days.length} ${days.length === 1 ? 'day' : 'days'} with problems`;
  const rows = days.map((day) => html`<tr><th>${longDay(day.day)}<td>${dayWords(day)}`);
  const name = html`<span class="spoken"> of ${component.name}</span>`;
  return html`<details id="days-${component.id}"><summary>${summary}${name}</summary>
<table><thead><tr><th>Day<th>What was wrong<tbody>${rows}</table></details>
`;
}
