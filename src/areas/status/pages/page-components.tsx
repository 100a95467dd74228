import { groupBy } from '../../../lib/group-by.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState } from '../model.ts';
import { bars, troubledDaysTable } from './page-bars.tsx';
import { chart, chartTable } from './page-chart.tsx';
import { componentWords, icon, formatPercent, toneOf } from './page-texts.tsx';

/** The components that the page shows, in display order. */
export const shownComponents = (components: readonly ComponentState[]): readonly ComponentState[] =>
  components
    .filter(({ onlyShowIfDegraded, status }) => !onlyShowIfDegraded || status !== 'operational')
    .toSorted((a, b) => a.position - b.position);

function article(component: ComponentState): Html {
  const { name, description, status, uptime, days } = component;
  const tone = toneOf(status);
  const up = uptime === null ? 'No figures yet' : `${formatPercent(uptime)} uptime`;
  return (
    <article class="component">
      <div class="sides">
        <h3 safe>{name}</h3>
        <p class={`state ${tone}`}>
          {icon(tone)}
          {escapeHtml(componentWords[status])}
        </p>
      </div>
      {description === null ? undefined : (
        <p class="hint" safe>
          {description}
        </p>
      )}
      {bars(component)}
      <p class="sides ends">
        <span>{days.length} days ago</span>
        <span safe>{up}</span>
        <span>Today</span>
      </p>
      {troubledDaysTable(component)}
      {chart(component)}
    </article>
  );
}

const section = (heading: Html, members: readonly ComponentState[]): Html => (
  <>
    {heading}
    {members.map(article)}
  </>
);

/** Renders the components by group; those without a group come first. */
export function componentList(all: readonly ComponentState[]): Html {
  const components = shownComponents(all);
  if (components.length === 0) return <p>Nothing is watched yet.</p>;
  return (
    <>
      {[...groupBy(components, ({ group }) => group).entries()]
        .toSorted(([a], [b]) => Number(a !== null) - Number(b !== null))
        .map(([group, members]) =>
          section(
            group === null ? <h2 class="spoken">Components</h2> : <h2 safe>{group}</h2>,
            members,
          ),
        )}
      {chartTable(components)}
    </>
  );
}
