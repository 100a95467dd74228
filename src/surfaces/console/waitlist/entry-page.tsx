import type { EntryView } from '../../../areas/waitlist/entries/schemas.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { type Column, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { doneNotice } from '../components/notices.tsx';
import { ActionButton } from '../components/console-form.tsx';
import type { ConsolePage } from '../layout.tsx';
import { texts } from './texts/en.ts';
import { deleteForm } from '../resources/entry-page.tsx';
import { editPath } from '../resources/resource-paths.ts';
import { home, reasonName } from './waitlist-page.tsx';
import { textLink } from '../components/navigation.tsx';

export interface WaitlistEntryView {
  entry: EntryView;
  referred: readonly EntryView[];
}

const words = texts.entry;
const { fields, values } = areaTexts.entries;

const statusTones: Readonly<Record<string, Tone | undefined>> = waitlistEntries.tones?.status ?? {};
const statusBadge = ({ status }: EntryView): Html => (
  <Badge text={values.status[status]} tone={statusTones[status] ?? 'neutral'} />
);
const reasonsOf = ({ credit_reasons: reasons }: EntryView): string =>
  reasons.map(reasonName).join(', ');

type Shown = Exclude<keyof EntryView, 'status'>;
const times = [
  'consent_at',
  'verified_at',
  'approved_at',
  'invited_at',
  'denied_at',
  'joined_at',
  'created_at',
] as const satisfies readonly Shown[];
const plain: readonly Shown[] = [
  'email',
  'name',
  'score',
  'amount_referred',
  'referral_code',
  'network',
  'verified_network',
  'verified_because',
  'consent_version',
];

function textOf(value: EntryView[Shown]): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : '';
}

function details(entry: EntryView): Html {
  const { is_disposable: isDisposable, credit, source, metadata } = entry;
  return (
    <Facts
      facts={[
        { name: fields.status, value: statusBadge(entry) },
        ...plain.map((name) => {
          const value = textOf(entry[name]);
          return value === '' ? undefined : { name: fields[name], value: escapeHtml(value) };
        }),
        { name: fields.credit, value: escapeHtml(values.credit[credit]) },
        entry.credit_reasons.length === 0
          ? undefined
          : { name: fields.credit_reasons, value: escapeHtml(reasonsOf(entry)) },
        { name: fields.is_disposable, value: escapeHtml(isDisposable ? words.yes : words.no) },
        { name: fields.source, value: escapeHtml(values.source[source]) },
        ...times.map((name) => {
          const at = entry[name];
          return at === null ? undefined : { name: fields[name], value: <Time at={at} /> };
        }),
        Object.keys(metadata).length === 0
          ? undefined
          : { name: fields.metadata, value: <code safe>{JSON.stringify(metadata)}</code> },
      ]}
    />
  );
}

const referredColumns: readonly Column<EntryView>[] = [
  {
    title: words.columns.person,
    cell: ({ id, email }) => textLink(`${home}/${id}`, email),
  },
  { title: words.columns.status, cell: statusBadge },
  { title: words.columns.credit, text: ({ credit }) => values.credit[credit] },
  { title: words.columns.reasons, text: reasonsOf },
];

function decisions({ id, status, verified_at: verified }: EntryView): Html {
  const mayApprove = verified !== null && (status === 'verified' || status === 'denied');
  const mayDeny = status !== 'denied' && status !== 'joined';
  return (
    <>
      {mayApprove && (
        <ActionButton action={`${home}/${id}/approve`} label={words.approve} kind="primary" />
      )}
      {mayDeny && <ActionButton action={`${home}/${id}/deny`} label={words.deny} />}
      <DrawerLink label={words.edit} href={editPath(waitlistEntries, id)} size="small" />
    </>
  );
}

/** A person on the waitlist, whom they referred, and why some of it got no credit. */
export const waitlistEntryPage = (
  { entry, referred }: WaitlistEntryView,
  done: string | undefined,
): ConsolePage => ({
  section: 'waitlist',
  title: entry.name ?? entry.email,
  breadcrumbs: [{ href: home, text: texts.title }],
  notice: doneNotice(texts.notices, done),
  actions: decisions(entry),
  body: (
    <>
      <Card
        id="details"
        title={words.details}
        actions={
          entry.referred_by !== null && (
            <a href={`${home}/${entry.referred_by}`}>{escapeHtml(words.referrer)}</a>
          )
        }
      >
        {details(entry)}
      </Card>
      <Card id="referrals" title={words.referrals}>
        <Table
          caption={words.referralsCaption}
          columns={referredColumns}
          rows={referred}
          empty={<EmptyState icon="users" text={words.noReferrals} />}
        />
      </Card>
      {deleteForm(waitlistEntries, entry)}
    </>
  ),
});
