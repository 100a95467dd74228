import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { RetentionView } from '../../../../areas/analytics/figures/schemas.retention.ts';
import { formatDate } from '../../../../platform/i18n/dates.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { type SiteEntry, siteTabs } from '../view-controls.tsx';
import { siteBar } from '../view-bar.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count, percent } from '../../components/number-format.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';

const { retention } = texts;

const units = [
  ['day', retention.units.day],
  ['week', retention.units.week],
  ['month', retention.units.month],
] as const;

/** The CSS class of a share: one of six shades for 0 to 100 per cent. */
const shade = (share: number | null): string =>
  share === null || share === 0 ? 'share-0' : `share-${Math.min(5, Math.ceil(share / 20))}`;

type Cohort = RetentionView['cohorts'][number];

/**
 * The share of a cohort that came back. A unit in progress is marked and has no shade; before
 * anybody has come back it has a dash, since nothing can be said yet.
 */
function shareOf({ returned, visitors, partial }: Cohort, at: number): Html | undefined {
  if (at >= returned.length) return undefined;
  const share = returned[at] ?? null;
  const seen = count(visitors[at] ?? 0);
  const isPartial = partial && at > 0 && at === returned.length - 1;
  if (!isPartial)
    return (
      <span class={`share ${shade(share)}`} title={seen} safe>
        {percent(share)}
      </span>
    );
  const title = retention.soFarTitle({ visitors: seen });
  if (share === null || share === 0)
    return (
      <span class="share share-partial" title={title} safe>
        {percent(null)}
      </span>
    );
  return (
    <span class="share share-partial" title={title}>
      {escapeHtml(percent(share))}{' '}
      <span class="visually-hidden" safe>
        {retention.soFar}
      </span>
      …
    </span>
  );
}

/** The mean share that came back after so many whole units, weighted by the size of cohorts. */
function averageShare(cohorts: readonly Cohort[], at: number): number | null {
  const over = cohorts.filter(
    ({ returned, partial }) => at < returned.length - (partial && at > 0 ? 1 : 0),
  );
  const size = over.reduce((sum, cohort) => sum + cohort.size, 0);
  const seen = over.reduce((sum, { visitors }) => sum + (visitors[at] ?? 0), 0);
  return size === 0 ? null : (100 * seen) / size;
}

/** The averages of all cohorts, as a cohort of its own. */
function averageOf(cohorts: readonly Cohort[]): Cohort {
  const size = cohorts.reduce((sum, cohort) => sum + cohort.size, 0);
  return {
    start: '',
    size: Math.round(size / Math.max(1, cohorts.length)),
    visitors: [],
    partial: false,
    returned: cohorts.map((_, at) => averageShare(cohorts, at)),
  };
}

function cohortTable({ cohorts, unit }: RetentionView): Html {
  const steps = cohorts.map((_, at): Column<Cohort> => ({
    title: retention.unit({ unit, at }),
    cell: (cohort) => shareOf(cohort, at),
    isNumber: true,
  }));
  return (
    <div class="cohorts">
      <Table
        caption={retention.caption({ unit })}
        columns={[
          {
            title: retention.firstSeen({ unit }),
            text: ({ start }) =>
              start === '' ? retention.average : formatDate(start.slice(0, 10)),
          },
          { title: retention.visitors, text: ({ size }) => count(size), isNumber: true },
          ...steps,
        ]}
        rows={[...cohorts, averageOf(cohorts)]}
        layout="columns"
      />
    </div>
  );
}

const noCohorts = (
  <EmptyState
    icon="users"
    text={retention.empty}
    action={<Button label={retention.guide} href="/developer/guides/website-script" />}
  >
    <Copy text="svc('login', { user_id: 'user-4711' })" label={consoleTexts.copy} />
  </EmptyState>
);

const retentionPath = `${analyticsPath}/retention`;

export interface RetentionPageView {
  isAdmin: boolean;
  address: ViewParams;
  sites: readonly SiteEntry[];
  view: RetentionView;
}

/** Retention: how many visitors come back. */
export function retentionPage({ address, sites, view, isAdmin }: RetentionPageView): ConsolePage {
  const unitLinks = units.map(([unit, text]) => ({
    href: viewUrl(address, retentionPath, { unit }),
    text,
    isCurrent: unit === view.unit,
  }));
  return {
    section: 'analytics',
    title: retention.title({ site: address.site }),
    heading: texts.controls.heading,
    body: (
      <>
        {siteTabs(address, '/retention')}
        {siteBar({ address, sites, tab: '/retention', isAdmin })}
        <Card
          id="cohorts"
          title={retention.heading}
          hint={retention.hint({ unit: view.unit })}
          actions={<Tabs label={retention.units.label} isCompact links={unitLinks} />}
        >
          {view.cohorts.every(({ size }) => size === 0) ? noCohorts : cohortTable(view)}
        </Card>
      </>
    ),
  };
}
