import { groupBy } from '../../../lib/group-by.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatPercent } from '../../../platform/i18n/numbers.ts';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import type { ComponentState } from '../model.ts';
import { texts } from '../texts/en.ts';
import { bars, troubledDaysTable } from './page-bars.tsx';
import { chart, chartTable } from './page-chart.tsx';
import { icon, toneOf } from './page-tones.tsx';

/** The components that the page shows, in display order. */
const shownComponents = (components: readonly ComponentState[]): readonly ComponentState[] =>
  components
    .filter(({ onlyShowIfDegraded, status }) => !onlyShowIfDegraded || status !== 'operational')
    .toSorted((a, b) => a.position - b.position);

/** Formats per cent, rounded down: only a full uptime is 100%. */
export const formatUptime = (percent: number): string =>
  formatPercent(percent / 100, { decimals: 2, roundDown: true });

/** A full uptime beside coloured days needs a reason: time with slow answers is not counted. */
const uptimeText = (uptime: number, days: ComponentState['days']) => ({
  uptime: formatUptime(uptime),
  isSlowLeftOut: uptime === 100 && days.some(({ ms }) => (ms.degraded_performance ?? 0) > 0),
});

function article(component: ComponentState): Html {
  const { name, description, status, uptime, days } = component;
  const tone = toneOf(status);
  const { uptime: upFor, noUptime, firstDay, today } = texts.component;
  const up = uptime === null ? noUptime : upFor(uptimeText(uptime, days));
  return (
    <article class="component">
      <div class="sides">
        <h3 id={`name-${component.id}`} safe>
          {name}
        </h3>
        <p class={`state ${tone}`}>
          {icon(tone)}
          {escapeHtml(texts.components[status])}
        </p>
      </div>
      {description === null ? undefined : (
        <p class="hint" safe>
          {description}
        </p>
      )}
      {bars(component)}
      <p class="ends">
        <span safe>{firstDay({ days: days.length })}</span>
        <span safe>{up}</span>
        <span safe>{today}</span>
      </p>
      {chart(component)}
      {troubledDaysTable(component)}
    </article>
  );
}

const section = (heading: Html, members: readonly ComponentState[]): Html => (
  <>
    {heading}
    <div class="components">{members.map(article)}</div>
  </>
);

/** Renders the components by group; those without a group come first. */
export function componentList(all: readonly ComponentState[]): Html {
  const components = shownComponents(all);
  if (components.length === 0) return <EmptyState icon="status" text={texts.component.none} />;
  return (
    <>
      {[...groupBy(components, ({ group }) => group).entries()]
        .toSorted(([a], [b]) => Number(a !== null) - Number(b !== null))
        .map(([group, members]) =>
          section(
            group === null ? (
              <h2 class="visually-hidden" safe>
                {texts.component.heading}
              </h2>
            ) : (
              <h2 safe>{group}</h2>
            ),
            members,
          ),
        )}
      {chartTable(components)}
    </>
  );
}
