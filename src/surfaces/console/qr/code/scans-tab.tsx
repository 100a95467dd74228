import {
  countryOf,
  deviceOf,
  languageOf,
} from '../../../../areas/analytics/figures/display-names.ts';
import type { StatsView } from '../../../../areas/qr/codes/schemas.ts';
import { consolePath } from '../../../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber, formatOrDash, formatPercent } from '../../../../platform/i18n/numbers.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { Stats } from '../../../../platform/ui/components/stat.tsx';
import { BrandMark, DeviceMark, FlagMark } from '../../../../platform/ui/components/marks.tsx';
import { BarList, Facts } from '../../../../platform/ui/components/table.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { ruleName } from '../contents/rule-fields.tsx';
import { codePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { contentFacts } from './content-facts.ts';
import type { ScansView } from './code-view.ts';

export const shownPeriods = ['7d', '30d', '90d', '12mo'] as const;

const words = texts.scans;

const periodTabs = ({ code, period }: ScansView): Html => (
  <Tabs
    label={words.periods.label}
    isCompact
    links={shownPeriods.map((each) => ({
      href: withQuery(codePath(code.id), { period: each }),
      text: words.periods[each],
      isCurrent: each === period,
    }))}
  />
);

function chart({ series, period: { interval, timezone } }: StatsView): Html {
  const starts = series.map(({ start }) => start);
  return lineChart({
    id: 'scans-chart',
    caption: words.chart,
    steps: stepNames({ starts, interval, timezone }),
    ticks: ticksOf(starts, interval, timezone),
    partial: series.map((_, at) => at === series.length - 1),
    lines: [{ name: words.line, kind: 'bars', values: series.map(({ scans }) => scans) }],
  });
}

type RankingId = keyof typeof words.rankings;
const rankingIds: readonly RankingId[] = [
  'countries',
  'devices',
  'operating_systems',
  'browsers',
  'languages',
  'referrers',
];

const names: Readonly<Partial<Record<RankingId, (value: string) => string>>> = {
  countries: countryOf,
  devices: deviceOf,
  languages: languageOf,
};

function nameOf(id: RankingId, value: string | null): string {
  if (value === null) return words.unknown;
  return names[id]?.(value) ?? value;
}

/** What stands before the name of a row. */
function markOf(id: RankingId, value: string | null): Html | undefined {
  if (id === 'languages') return undefined;
  if (id === 'countries') return <FlagMark country={value} />;
  return id === 'devices' ? <DeviceMark kind={value} /> : <BrandMark name={value} />;
}

/** Scans by the rule that chose their target; nothing for a code that had no rules. */
function ruleScans({ rules }: StatsView): Html | undefined {
  if (rules.length === 0) return undefined;
  const all = rules.reduce((sum, { scans }) => sum + scans, 0);
  return (
    <Card id="rules" title={words.rules.title}>
      <BarList
        caption={words.rules.caption}
        columns={[words.rules.column, words.line, words.share]}
        bars={rules.map(({ rule, scans }) => ({
          text: rule === null ? words.rules.none : ruleName(rule),
          value: scans,
          cells: [escapeHtml(formatNumber(scans)), escapeHtml(formatPercent(scans / all))],
        }))}
      />
    </Card>
  );
}

function ranking(stats: StatsView, id: RankingId): Html | undefined {
  const rows = stats[id].filter(({ people }) => people > 0);
  // Cameras do not say where a scan came from: a list of nothing would only ask why.
  if (rows.every(({ value }) => value === null) && id !== 'countries') return undefined;
  const { title, column } = words.rankings[id];
  return (
    <Card id={id} title={title}>
      <BarList
        caption={words.ranking({ title })}
        columns={[column, words.people, words.share]}
        bars={rows.map(({ value, people }) => ({
          text: nameOf(id, value),
          mark: markOf(id, value),
          value: people,
          cells: [
            escapeHtml(formatNumber(people)),
            escapeHtml(formatPercent(people / Math.max(1, stats.people))),
          ],
        }))}
      />
    </Card>
  );
}

const figures = (stats: StatsView, allScans: number | null): Html => (
  <>
    <Stats
      id="figures"
      label={words.title}
      all={[
        { label: words.stats.scans, value: formatNumber(stats.scans) },
        { label: words.stats.people, value: formatNumber(stats.people) },
        { label: words.stats.all, value: formatOrDash(allScans, formatNumber) },
        { label: words.stats.bots, value: formatNumber(stats.bots) },
      ]}
    />
    {chart(stats)}
  </>
);

const inAnalytics = ({ site_id, filter }: StatsView): Html => (
  <Button
    label={words.inAnalytics}
    icon="analytics"
    size="small"
    href={withQuery(`${consolePath}analytics`, { site_id, filter })}
  />
);

function content(view: ScansView): Html {
  const { stats, code } = view;
  if (stats === undefined) return <EmptyState icon="chart" text={words.unavailable} />;
  if (stats.scans > 0) return figures(stats, code.scans);
  return <EmptyState icon="qr" text={code.scans === 0 ? words.never : words.none} />;
}

const contentCard = ({ code: { content: given } }: ScansView): Html => (
  <Card id="content-facts" title={texts.code.tabs.content} hint={texts.code.staticHint}>
    <Facts
      facts={(given === null ? [] : contentFacts(given)).map(({ name, text }) => ({
        name,
        value: escapeHtml(text),
      }))}
    />
  </Card>
);

/** The scans of a code in a period; of one without a short link, what it contains. */
export function scansTab(view: ScansView): Html {
  const { stats, code } = view;
  if (!code.dynamic) return contentCard(view);
  return (
    <>
      <Card
        id="scans"
        title={words.title}
        hint={words.hint}
        actions={
          <>
            {periodTabs(view)}
            {stats !== undefined && inAnalytics(stats)}
          </>
        }
      >
        {content(view)}
      </Card>
      {stats !== undefined && stats.scans > 0 && (
        <div class="masonry">
          {ruleScans(stats)}
          {rankingIds.map((id) => ranking(stats, id))}
        </div>
      )}
    </>
  );
}
