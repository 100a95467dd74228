import { groupBy } from '../../../lib/group-by.ts';
import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState } from '../model.ts';
import { bars, troubledDaysTable } from './page-bars.ts';
import { chart, chartTable } from './page-chart.ts';
import { componentWords, icon, formatPercent, toneOf } from './page-texts.ts';

/** The components that the page shows, in display order. */
export const shownComponents = (components: readonly ComponentState[]): readonly ComponentState[] =>
  components
    .filter(({ onlyShowIfDegraded, status }) => !onlyShowIfDegraded || status !== 'operational')
    .toSorted((a, b) => a.position - b.position);

function article(component: ComponentState): Html {
  const { name, description, status, uptime, days } = component;
  const tone = toneOf(status);
  const up = uptime === null ? 'No figures yet' : `${formatPercent(uptime)} uptime`;
  return html`<article class="component">
<div class="sides"><h3>${name}</h3>
<p class="state ${tone}">${icon(tone)}${componentWords[status]}</p></div>
${description === null ? undefined : html`<p class="hint">${description}</p>\n`}${bars(component)}
<p class="sides ends"><span>${days.length} days ago</span><span>${up}</span><span>Today</span></p>
${troubledDaysTable(component)}${chart(component)}</article>
`;
}

const section = (heading: Html, members: readonly ComponentState[]): Html =>
  html`${heading}\n${members.map(article)}`;

/** Renders the components by group; those without a group come first. */
export function componentList(all: readonly ComponentState[]): Html {
  const components = shownComponents(all);
  if (components.length === 0) return html`<p>Nothing is watched yet.</p>`;
  return html`${[...groupBy(components, ({ group }) => group).entries()]
    .toSorted(([a], [b]) => Number(a !== null) - Number(b !== null))
    .map(([group, members]) =>
      section(
        group === null ? html`<h2 class="spoken">Components</h2>` : html`<h2>${group}</h2>`,
        members,
      ),
    )}${chartTable(components)}`;
}
