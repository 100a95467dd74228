import type { EntryView } from '../../../areas/waitlist/entries/schemas.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { capitalized } from '../../../lib/text/case.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Avatar } from '../../../platform/ui/components/avatar.tsx';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Copy, Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
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
import { entryMenu } from '../resources/entry-menu.tsx';
import { aboveEntry } from '../resources/resource-links.ts';
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
  /** The person's own link, which brings others to the waitlist. */
  link: string;
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

/** Where the person stands, in big figures. */
function figures({ entry, referred, place }: WaitlistEntryView): Html {
  const { stats } = words;
  const rank =
    place === undefined
      ? []
      : [{ label: words.place, value: stats.rank({ place: formatNumber(place) }) }];
  return (
    <Stats
      label={words.person}
      all={[
        ...rank,
        { label: words.points, value: formatNumber(entry.score) },
        { label: stats.brought, value: formatNumber(referred.length) },
      ]}
    />
  );
}

/** How the person came to the list, and what was decided since. */
const historyFacts = ({ entry, referrer }: WaitlistEntryView): (Fact | undefined)[] => [
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
];

const consentFacts = ({ entry }: WaitlistEntryView): (Fact | undefined)[] => [
  entry.consent_at === null
    ? undefined
    : { name: fields.consent_at, value: <Time at={entry.consent_at} /> },
  textFact(fields.consent_version, entry.consent_version),
  textFact(words.verifiedBecause, entry.verified_because),
  textFact(fields.network, entry.network),
];

/** The link that brings friends, and who came by it. */
const referralsCard = ({ referred, link }: WaitlistEntryView): Html => (
  <Card id="referrals" title={words.referrals({ count: referred.length })}>
    <p class="copy-label" safe>
      {words.link}
    </p>
    <Copy label={words.link} text={link} />
    {referred.length > 0 && (
      <Table caption={words.referralsCaption} columns={referredColumns} rows={referred} />
    )}
  </Card>
);

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
      {entryMenu(waitlistEntries, { id })}
      {mayApprove && (
        <ActionButton
          action={`${home}/${id}/approve`}
          label={words.approve}
          kind="primary"
          size="medium"
        />
      )}
      {mayDeny && <ActionButton action={`${home}/${id}/deny`} label={words.deny} size="medium" />}
      <DrawerLink label={words.edit} href={editPath(waitlistEntries, id)} icon="edit" />
    </>
  );
}

/** A person on the waitlist: where they stand, whom they brought, and what was sent to them. */
export function waitlistEntryPage(view: WaitlistEntryView, done: string | undefined): ConsolePage {
  const { entry, mails } = view;
  return {
    section: 'waitlist',
    title: entry.name ?? entry.email,
    breadcrumbs: aboveEntry(waitlistEntries),
    notice: doneNotice(texts.notices, done),
    actions: decisions(entry),
    face: <Avatar name={entry.name ?? entry.email} size="large" />,
    state: (
      <span class="badges">
        {statusBadge(entry)}
        {entry.is_disposable && <Badge text={words.disposable} tone="warn" />}
      </span>
    ),
    lead: entry.name === null ? undefined : escapeHtml(entry.email),
    body: (
      <>
        {figures(view)}
        <div class="columns">
          <div>
            {referralsCard(view)}
            <Card id="mails" title={words.mails}>
              <MessagesTable messages={mails} />
            </Card>
          </div>
          <div>
            <Card id="details" title={words.history}>
              <Facts facts={historyFacts(view)} />
              <Disclosure summary={words.consent}>
                <Facts facts={consentFacts(view)} />
              </Disclosure>
            </Card>
          </div>
        </div>
      </>
    ),
  };
}
