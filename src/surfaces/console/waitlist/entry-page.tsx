import type { EntryView } from '../../../areas/waitlist/entries/schemas.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { capitalized } from '../../../lib/text/case.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { type Column, type Fact, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { doneNotice } from '../components/notices.tsx';
import { ActionButton } from '../components/console-form.tsx';
import type { ConsolePage } from '../layout.tsx';
import { Person } from '../people/person.tsx';
import type { SentMessage } from '../people/users/sent-messages.ts';
import { MessagesTable } from '../people/users/user-messages-page.tsx';
import { texts } from './texts/en.ts';
import { deleteForm } from '../resources/entry-page.tsx';
import { editPath } from '../resources/resource-paths.ts';
import { home, reasonName } from './waitlist-page.tsx';
import { textLink } from '../components/navigation.tsx';

export interface WaitlistEntryView {
  entry: EntryView;
  referred: readonly EntryView[];
  /** Who brought them. */
  referrer: EntryView | undefined;
  /** The place in line, from 1 on; undefined for those who don't wait. */
  place: number | undefined;
  mails: readonly SentMessage[];
}

const words = texts.entry;
const { fields, values } = areaTexts.entries;

const statusTones: Readonly<Record<string, Tone | undefined>> = waitlistEntries.tones?.status ?? {};
const statusBadge = ({ status }: EntryView): Html => (
  <Badge text={values.status[status]} tone={statusTones[status] ?? 'neutral'} />
);
const reasonsOf = ({ credit_reasons: reasons }: EntryView): string =>
  reasons.map(reasonName).join(', ');

const times = [
  'created_at',
  'verified_at',
  'approved_at',
  'invited_at',
  'denied_at',
  'joined_at',
  'consent_at',
] as const;

/** A fact that is left out without a value. */
const textFact = (name: string, value: string | null | undefined): Fact | undefined =>
  value == null || value === '' ? undefined : { name, value: escapeHtml(value) };

/** What a form of the owner's site has added, by its own names. */
const ownFacts = ({ metadata }: EntryView): (Fact | undefined)[] =>
  Object.entries(metadata).map(([name, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? textFact(capitalized(name.replaceAll('_', ' ')), String(value))
      : undefined,
  );

function aboutFacts({ entry, referrer, place }: WaitlistEntryView): (Fact | undefined)[] {
  return [
    { name: fields.status, value: statusBadge(entry) },
    textFact(words.place, place === undefined ? undefined : formatNumber(place)),
    textFact(words.points, formatNumber(entry.score)),
    { name: fields.email, value: escapeHtml(entry.email) },
    entry.is_disposable
      ? { name: words.disposable, value: <Badge text={words.disposable} tone="warn" /> }
      : undefined,
    textFact(words.from, words.sources[entry.source]),
    referrer && {
      name: words.broughtBy,
      value: textLink(`${home}/${referrer.id}`, referrer.name ?? referrer.email),
    },
    referrer && textFact(fields.credit, values.credit[entry.credit]),
    textFact(fields.credit_reasons, reasonsOf(entry)),
    ...ownFacts(entry),
    ...times.map((name) => {
      const at = entry[name];
      return at === null ? undefined : { name: fields[name], value: <Time at={at} /> };
    }),
    textFact(fields.verified_because, entry.verified_because),
    textFact(fields.network, entry.network),
    textFact(fields.consent_version, entry.consent_version),
  ];
}

const referredColumns: readonly Column<EntryView>[] = [
  {
    title: words.columns.person,
    cell: ({ id, name, email }) => (
      <Person
        name={name ?? email}
        detail={name === null ? undefined : email}
        href={`${home}/${id}`}
      />
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
      {mayDeny && <ActionButton action={`${home}/${id}/deny`} label={words.deny} />}
      <DrawerLink label={words.edit} href={editPath(waitlistEntries, id)} size="small" />
    </>
  );
}

/** A person on the waitlist: where they stand, whom they brought, and what was sent to them. */
export function waitlistEntryPage(view: WaitlistEntryView, done: string | undefined): ConsolePage {
  const { entry, referred, mails } = view;
  return {
    section: 'waitlist',
    title: entry.name ?? entry.email,
    breadcrumbs: [{ href: home, text: texts.title }],
    notice: doneNotice(texts.notices, done),
    actions: decisions(entry),
    body: (
      <div class="columns">
        <div>
          <Card id="details" title={words.person}>
            <Facts facts={aboutFacts(view)} />
          </Card>
          {deleteForm(waitlistEntries, entry)}
        </div>
        <div>
          <Card id="referrals" title={words.referrals({ count: referred.length })}>
            <Table
              caption={words.referralsCaption}
              columns={referredColumns}
              rows={referred}
              empty={<p class="hint">{escapeHtml(words.noReferrals)}</p>}
            />
          </Card>
          <Card id="mails" title={words.mails}>
            <MessagesTable messages={mails} />
          </Card>
        </div>
      </div>
    ),
  };
}
