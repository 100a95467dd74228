import type { StatsView } from '../../../areas/qr/codes/schemas.ts';
import { countryName } from '../../../lib/places/country-names.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../platform/ui/charts/step-names.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { BarList } from '../../../platform/ui/components/table.tsx';
import { type QrPageView, qrPath } from './qr-view.ts';
import { texts } from './texts/en.ts';

export const shownPeriods = ['7d', '30d', '90d', '12mo'] as const;

const periodTabs = ({ code, period }: QrPageView): Html => (
  <Tabs
    label={texts.periods.label}
    links={shownPeriods.map((each) => ({
      href: `${qrPath}?id=${code.id}&period=${each}`,
      text: texts.periods[each],
      isCurrent: each === period,
    }))}
  />
);

function chart({ series, period: { interval, timezone } }: StatsView): Html {
  const starts = series.map(({ start }) => start);
  return lineChart({
    id: 'scans-chart',
    caption: texts.chart,
    steps: stepNames({ starts, interval, timezone }),
    ticks: ticksOf(starts, interval, timezone),
    partial: series.map((_, at) => at === series.length - 1),
    lines: [
      { name: texts.lines.scans, kind: 'first', values: series.map(({ scans }) => scans) },
      { name: texts.lines.people, kind: 'second', values: series.map(({ people }) => people) },
    ],
  });
}

type RankingId = keyof typeof texts.rankings;
const rankingIds: readonly RankingId[] = [
  'countries',
  'devices',
  'operating_systems',
  'languages',
  'referrers',
];

function nameOf(id: RankingId, value: string | null): string {
  if (value === null) return texts.unknown;
  return id === 'countries' ? (countryName(value) ?? value) : value;
}

/** Why a ranking is empty: there were no scans, or they did not tell. */
function emptyText({ scans }: StatsView, id: RankingId): string {
  if (scans === 0) return texts.none;
  return id === 'referrers' ? texts.noReferrers : texts.notTold;
}

function ranking(stats: StatsView, id: RankingId): Html {
  const { columns } = texts;
  const title = texts.rankings[id];
  return (
    <Card id={id} title={title}>
      <BarList
        caption={texts.ranking({ title })}
        columns={[columns.value, columns.people, columns.visits]}
        bars={stats[id].map(({ value, people, visits }) => ({
          text: nameOf(id, value),
          value: people,
          cells: [escapeHtml(formatNumber(people)), escapeHtml(formatNumber(visits))],
        }))}
        empty={<EmptyState icon="chart" text={emptyText(stats, id)} />}
      />
    </Card>
  );
}

function figures(stats: StatsView): Html {
  const { scans, people, bots } = stats;
  const all = [
    [texts.stats.scans, scans],
    [texts.stats.people, people],
    [texts.stats.bots, bots],
  ] as const;
  return (
    <>
      <Stats
        id="figures"
        label={texts.scans}
        all={all.map(([label, value]) => ({ label, value: formatNumber(value) }))}
      />
      {chart(stats)}
    </>
  );
}

/** The scans of a code in a period. */
export function scansPart(view: QrPageView): Html {
  const { stats } = view;
  return (
    <>
      <Card id="scans" title={texts.scans} hint={texts.scansHint}>
        {periodTabs(view)}
        {stats === undefined ? (
          <EmptyState icon="chart" text={texts.unavailable} />
        ) : (
          figures(stats)
        )}
      </Card>
      {stats !== undefined && (
        <div class="columns">{rankingIds.map((id) => ranking(stats, id))}</div>
      )}
    </>
  );
}
