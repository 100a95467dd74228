import type { BatchView, FiguresView } from '../../../areas/waitlist/entries/schemas.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';
import { Person } from '../people/person.tsx';

export const home = sectionPath('waitlist');
/** The list of all entries, with filters and exports. */
const listPath = resourcePath(waitlistEntries);

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
  next: readonly NextPerson[];
  batch: BatchView | undefined;
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

function approvePart({ batch, next }: WaitlistView): Html {
  const { approve } = texts;
  return (
    <Card id="approve" title={approve.title} hint={approve.hint} isLive>
      {batch !== undefined && <p safe>{approve.progress(batch)}</p>}
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

const { columns } = texts.next;
const nextColumns: readonly Column<NextPerson>[] = [
  {
    title: columns.person,
    cell: ({ id, name, email }) => (
      <Person
        name={name ?? email}
        detail={name === null ? undefined : email}
        href={`${home}/${id}`}
      />
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

/** The waitlist: its figures, who is next, and a form to approve them. */
export const waitlistPage = (view: WaitlistView, done: string | undefined): ConsolePage => ({
  section: 'waitlist',
  title: texts.title,
  notice: doneNotice(texts.notices, done),
  every: 5,
  actions: (
    <>
      <a href="/waitlist">{escapeHtml(texts.publicPage)}</a>
      <Button label={texts.allEntries} href={listPath} />
    </>
  ),
  body: (
    <>
      {figuresPart(view)}
      {approvePart(view)}
      <Card id="next-people" title={texts.next.title} isLive>
        <Table
          caption={texts.next.caption}
          columns={nextColumns}
          rows={view.next}
          rowId={({ id }) => id}
          empty={<EmptyState icon="list" text={texts.next.none} />}
        />
      </Card>
      <Card id="reasons" title={texts.reasons.title}>
        <Table
          caption={texts.reasons.caption}
          columns={reasonColumns}
          rows={Object.entries(view.figures.referrals.withheld)}
          empty={<EmptyState icon="shield" text={texts.reasons.none} />}
        />
      </Card>
    </>
  ),
});
