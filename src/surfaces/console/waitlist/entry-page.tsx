import { EntryView } from '../../../areas/waitlist/schemas.entries.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { type Column, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { ActionButton } from '../components/console-form.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { texts } from './texts/en.ts';
import { home, listPath, reasonName, waitlistNotice } from './waitlist-page.tsx';

export interface WaitlistEntryView {
  entry: EntryView;
  referred: readonly EntryView[];
}

const words = texts.entry;
const { fields, values } = areaTexts.entries;

const statusBadge = ({ status }: EntryView): Html => (
  <Badge
    text={values.status[status]}
    tone={status === 'denied' ? 'bad' : status === 'pending' ? 'warn' : 'ok'}
  />
);
const reasonsOf = ({ credit_reasons: reasons }: EntryView): string =>
  reasons.map(reasonName).join(', ');

type Shown = Exclude<keyof EntryView, 'status'>;
const times: readonly Shown[] = [
  'consent_at',
  'verified_at',
  'approved_at',
  'invited_at',
  'denied_at',
  'joined_at',
  'created_at',
];
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
  return typeof value === 'string' && value !== '' ? value : '–';
}

function details(entry: EntryView): Html {
  const { is_disposable: isDisposable, credit, source, metadata } = entry;
  return (
    <Facts
      facts={[
        { name: fields.status, value: statusBadge(entry) },
        ...plain.map((name) => ({ name: fields[name], value: escapeHtml(textOf(entry[name])) })),
        { name: fields.credit, value: escapeHtml(values.credit[credit]) },
        { name: fields.credit_reasons, value: escapeHtml(reasonsOf(entry) || '–') },
        { name: fields.is_disposable, value: escapeHtml(isDisposable ? words.yes : words.no) },
        { name: fields.source, value: escapeHtml(values.source[source]) },
        ...times.map((name) => ({
          name: fields[name],
          value: <OptionalTime at={entry[name] as string | null} none="–" />,
        })),
        { name: fields.metadata, value: <code safe>{JSON.stringify(metadata)}</code> },
      ]}
    />
  );
}

const referredColumns: readonly Column<EntryView>[] = [
  {
    title: words.columns.person,
    cell: ({ id, email }) => (
      <a href={`${home}/${id}`} safe>
        {email}
      </a>
    ),
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
      {mayDeny && <ActionButton action={`${home}/${id}/deny`} label={words.deny} kind="danger" />}
      <Button label={words.edit} href={`${listPath}/${id}`} size="small" />
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
  notice: waitlistNotice(done),
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
    </>
  ),
});
