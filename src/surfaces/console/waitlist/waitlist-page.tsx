import type { BatchView, FiguresView } from '../../../areas/waitlist/entries/schemas.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatDate } from '../../../platform/i18n/dates.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { BulkList, RowCheck } from '../components/bulk-list.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';
import { Person } from '../people/person.tsx';
import { waitlistTabs } from './waitlist-tabs.tsx';

export const home = sectionPath('waitlist');

export interface NextPerson {
  id: string;
  email: string;
  name: string | null;
  score: number;
  amount_referred: number;
  verified_at: Date | null;
}

export interface WaitlistView {
  figures: FiguresView;
  /** How many people had joined by the end of each day. */
  growth: readonly { day: string; total: number }[];
  next: readonly NextPerson[];
  batch: BatchView | undefined;
  /** How many wait with a disposable mailbox. */
  leftOut: number;
}

const batchSizes = [10, 50, 200] as const;
const usualBatch = 50;

const withheldCount = ({ referrals: { withheld } }: FiguresView): number =>
  Object.values(withheld).reduce((sum, count) => sum + count, 0);

function figuresPart({ figures }: WaitlistView): Html {
  const { stats } = texts;
  const { entries, referrals } = figures;
  const values: readonly (readonly [string, number])[] = [
    [stats.waiting, entries.verified],
    [stats.unconfirmed, entries.pending],
    [stats.approved, entries.approved],
    [stats.joined, entries.joined],
    [stats.referrals, referrals.granted],
    [stats.withheld, withheldCount(figures)],
  ];
  const all = values.map(([label, value]) => ({ label, value: formatNumber(value) }));
  return <Stats id="figures" label={texts.figures} all={all} isLive />;
}

const growthPart = ({ growth }: WaitlistView): Html => (
  <Card id="growth" title={texts.growth.title} isLive>
    {lineChart({
      id: 'growth-chart',
      caption: texts.growth.caption,
      steps: growth.map(({ day }) => formatDate(day)),
      ticks: ticksOf(
        growth.map(({ day }) => day),
        'day',
        'UTC',
      ),
      lines: [
        { name: texts.growth.people, kind: 'first', values: growth.map(({ total }) => total) },
      ],
    })}
  </Card>
);

/** How far the invitations of the latest batch are. */
const batchProgress = (batch: BatchView): Html => (
  <>
    <p id="batch-text" safe>
      {texts.approve.progress(batch)}
    </p>
    {!batch.done && (
      <progress max={batch.size} value={batch.invited} aria-labelledby="batch-text"></progress>
    )}
  </>
);

function approvePart({ batch, next, leftOut }: WaitlistView): Html {
  const { approve } = texts;
  return (
    <Card id="approve" title={approve.title} hint={approve.hint} isLive>
      {batch !== undefined && batchProgress(batch)}
      {leftOut > 0 && <p safe>{approve.leftOut({ count: leftOut })}</p>}
      {next.length > 0 && (
        <div class="btn-row">
          {batchSizes.map((count) => (
            <DrawerLink
              label={approve.next({ count })}
              kind={count === usualBatch ? 'primary' : 'secondary'}
              href={`${home}/approve?next=${count}`}
            />
          ))}
        </div>
      )}
    </Card>
  );
}

const listId = 'next-list';
const { columns } = texts.next;
const nextColumns: readonly Column<NextPerson>[] = [
  {
    title: columns.person,
    cell: ({ id, name, email }) => (
      <div class="pick">
        <RowCheck list={listId} name="person[]" value={id} labelledBy={`person-${id}`} />
        <Person
          name={name ?? email}
          detail={name === null ? undefined : email}
          href={`${home}/${id}`}
          id={`person-${id}`}
        />
      </div>
    ),
  },
  { title: columns.points, text: ({ score }) => formatNumber(score), isNumber: true },
  {
    title: columns.referrals,
    text: ({ amount_referred: count }) => formatNumber(count),
    isNumber: true,
  },
  { title: columns.verified, cell: ({ verified_at: at }) => <OptionalTime at={at} /> },
];

const reasonNames: Readonly<Record<string, string>> = areaTexts.entries.values.credit_reasons;
/** The words for a reason why credit was withheld. */
export const reasonName = (reason: string): string => reasonNames[reason] ?? reason;

const reasonColumns: readonly Column<readonly [string, number]>[] = [
  { title: texts.reasons.columns.reason, text: ([reason]) => reasonName(reason) },
  { title: texts.reasons.columns.count, text: ([, count]) => formatNumber(count), isNumber: true },
];

const inviteButton = (): Html => (
  <Button label={texts.next.invite} size="small" icon="mail" attributes={{ formmethod: 'get' }} />
);

/** Who is next. Some of them can be chosen, whatever their place is. */
const nextPart = ({ next }: WaitlistView): Html => (
  <Card id="next-people" title={texts.next.title} isLive>
    <BulkList id={listId} action={`${home}/approve`} actions={inviteButton()}>
      <Table
        caption={texts.next.caption}
        columns={nextColumns}
        rows={next}
        rowId={({ id }) => id}
        empty={<EmptyState icon="list" text={texts.next.none} />}
      />
    </BulkList>
  </Card>
);

/** Why referrals are not counted; nothing if all are. */
function reasonsPart({ figures }: WaitlistView): Html | undefined {
  const rows = Object.entries(figures.referrals.withheld);
  if (rows.length === 0) return undefined;
  return (
    <Card id="reasons" title={texts.reasons.title}>
      <Table caption={texts.reasons.caption} columns={reasonColumns} rows={rows} />
    </Card>
  );
}

/** The waitlist: its figures, who is next, and a form to approve them. */
export const waitlistPage = (view: WaitlistView, done: string | undefined): ConsolePage => ({
  section: 'waitlist',
  title: texts.title,
  notice: doneNotice(texts.notices, done),
  every: 5,
  actions: <a href="/waitlist">{escapeHtml(texts.publicPage)}</a>,
  body: (
    <>
      {waitlistTabs('overview', view.figures)}
      {figuresPart(view)}
      <div class="columns">
        {growthPart(view)}
        <div>
          {approvePart(view)}
          {reasonsPart(view)}
        </div>
      </div>
      {nextPart(view)}
    </>
  ),
});
