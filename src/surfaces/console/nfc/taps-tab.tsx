import type { TagEvent } from '../../../areas/analytics/store/queries.ts';
import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import type { TapFigures } from '../../../areas/nfc/taps/figures.ts';
import { countryName } from '../../../lib/places/country-names.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../platform/ui/charts/step-names.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Banner, EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { FlagMark } from '../../../platform/ui/components/marks.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { textLink, withQuery } from '../components/navigation.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { tagPath } from './nfc-paths.ts';
import { byWeekIfFew } from './weekly-taps.ts';
import { texts } from './texts/en.ts';

const words = texts.detail;

export const tapPeriods = ['7d', '30d', '90d', '12mo'] as const;
type TapPeriod = (typeof tapPeriods)[number];

export interface TapsView {
  tag: NfcTagView;
  period: TapPeriod;
  /** Undefined while the figures are unavailable. */
  figures: TapFigures | undefined;
  /** Open alarms of the tag. */
  alarms: number;
}

const periodTabs = ({ tag, period }: TapsView): Html => (
  <Tabs
    label={words.periods.label}
    isCompact
    links={tapPeriods.map((each) => ({
      href: withQuery(tagPath(tag.id), { period: each }),
      text: words.periods[each],
      isCurrent: each === period,
    }))}
  />
);

function figureTiles({ tag, figures }: TapsView): Html {
  const { stats } = words;
  const shown = (value: number | undefined): string =>
    value === undefined ? '–' : formatNumber(value);
  return (
    <Stats
      id="figures"
      label={stats.label}
      all={[
        { label: stats.period, value: shown(figures?.taps) },
        { label: stats.people, value: shown(figures?.people) },
        { label: stats.all, value: formatNumber(tag.taps) },
        {
          label: stats.last,
          value: '',
          content: <OptionalTime at={tag.last_tapped_at} none={texts.never} />,
        },
      ]}
    />
  );
}

function chart({ series, interval, timezone }: TapFigures): Html {
  const starts = series.map(({ start }) => start);
  return lineChart({
    id: 'taps-chart',
    caption: words.chart({ interval }),
    steps: stepNames({ starts, interval, timezone }),
    ticks: ticksOf(starts, interval, timezone),
    partial: series.map((_, at) => at === series.length - 1),
    lines: [{ name: words.lines.taps, kind: 'bars', values: series.map(({ taps }) => taps) }],
  });
}

function chartOrReason(tag: NfcTagView, figures: TapFigures | undefined): Html {
  if (figures === undefined) return <EmptyState icon="chart" text={words.away} />;
  if (figures.taps > 0) return chart(figures);
  return <EmptyState icon="tag" text={tag.taps === 0 ? words.noTaps : words.noTapsNow} />;
}

function deviceOf({ device, os }: TagEvent): string {
  const { devices } = words;
  if (os === 'iOS' && device !== 'tablet') return devices.iphone;
  if (os === 'Android' && device !== 'tablet') return devices.android;
  return device === 'tablet' ? devices.tablet : (os ?? devices.other);
}

const inWords = (event: TagEvent): string =>
  words.tapOf({
    device: deviceOf(event),
    country: event.country === null ? undefined : countryName(event.country),
  });

const phoneOf = (event: TagEvent): Html => (
  <>
    <FlagMark country={event.country} /> {escapeHtml(inWords(event))}
  </>
);

const recentCard = (recent: readonly TagEvent[]): Html => (
  <Card id="recent" title={words.recent}>
    <Table
      caption={words.recent}
      columns={[
        { title: words.columns.phone, cell: phoneOf },
        { title: words.columns.when, cell: ({ at }) => <Time at={at} />, isNumber: true },
      ]}
      rows={recent}
    />
  </Card>
);

/** The taps of a tag: figures, a chart and the newest ones. */
export function tapsTab(view: TapsView): Html {
  const { tag, figures, alarms } = view;
  const drawn = figures && byWeekIfFew(figures);
  const title = drawn === undefined ? words.lines.taps : words.chart(drawn);
  const query = figures && { site_id: tag.site_id, filter: figures.filter };
  return (
    <>
      {alarms > 0 && (
        <Banner
          tone="bad"
          text={words.alarms({ count: alarms })}
          action={<Button label={words.look} href={tagPath(tag.id, 'alarms')} size="small" />}
        />
      )}
      {figureTiles(view)}
      <section class="tile" id="taps" aria-label={title}>
        <div class="tile-head">
          <h2>{escapeHtml(title)}</h2>
          <div class="btn-row">
            {query && textLink(withQuery(`${consolePath}analytics`, query), words.analytics)}
            {periodTabs(view)}
          </div>
        </div>
        {chartOrReason(tag, drawn)}
      </section>
      {figures !== undefined && figures.recent.length > 0 && recentCard(figures.recent)}
    </>
  );
}
