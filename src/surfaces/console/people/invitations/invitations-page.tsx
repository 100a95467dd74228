import { type Html } from '../../../../lib/text/html.ts';
import type {
  InvitationFilters,
  InvitationPage,
  InvitationView,
} from '../../../../areas/identity/invitations/schemas.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { cursorPager, withQuery } from '../../components/navigation.tsx';
import { doneNotice, UndoButton } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { below, userPath } from '../labels.tsx';
import { type PeopleCounts, peopleTabs } from '../people-tabs.tsx';
import { Person } from '../person.tsx';
import { texts } from '../texts/en.ts';
import type { UserNames } from '../user-names.ts';
import { invitationsPath } from './invitations-path.ts';
import { inviteLink } from './invite-page.tsx';

type Status = InvitationView['status'];

export interface InvitationsView {
  page: InvitationPage;
  status: InvitationFilters['status'];
  cursor: string | undefined;
  /** Names of those who invited. */
  names: UserNames;
  counts: PeopleCounts;
}

export interface InvitationsNotice {
  done?: string | undefined;
  /** The invitation that the notice is about. */
  about?: string | undefined;
}

const words = texts.invitations;
const tones: Readonly<Record<Status, Tone>> = {
  pending: 'info',
  accepted: 'ok',
  expired: 'warn',
  revoked: 'neutral',
};
const statuses = ['pending', 'accepted', 'expired', 'revoked'] as const;

const statusChips = (current: InvitationsView['status']): Html => (
  <div class="toolbar">
    <Tabs
      label={words.tabs}
      isCompact
      links={[undefined, ...statuses].map((status) => ({
        href: withQuery(invitationsPath, { status }),
        text: status === undefined ? words.all : words.statuses[status],
        isCurrent: status === current,
      }))}
    />
  </div>
);

const personCell =
  (names: UserNames) =>
  ({ id, email, accepted_by: by, invited_by: inviter }: InvitationView): Html => (
    <Person
      name={email}
      id={`invitation-${id}`}
      href={by === null ? undefined : userPath(by)}
      detail={words.invitedBy({ name: names.get(inviter.id) ?? words.program })}
    />
  );

function actionsCell({ id, status }: InvitationView): Html | undefined {
  if (status !== 'pending' && status !== 'expired') return undefined;
  const place = `${invitationsPath}/${id}`;
  const about = `invitation-${id}`;
  return (
    <div class="btn-row row-actions">
      <ActionButton action={`${place}/resend`} label={words.resend} kind="ghost" about={about} />
      <ActionButton
        action={`${place}/revoke`}
        label={words.revoke}
        icon="x"
        isIconOnly
        kind="ghost"
        about={about}
      />
    </div>
  );
}

const columnsFor = (names: UserNames): Column<InvitationView>[] => [
  { title: words.columns.email, cell: personCell(names) },
  { title: words.columns.role, text: ({ role }) => words.invite.values.role[role] },
  {
    title: words.columns.status,
    cell: ({ status }) => <Badge text={words.statuses[status]} tone={tones[status]} />,
  },
  {
    title: words.columns.sent,
    cell: ({ sent_at: at, times_sent: count }) => (
      <>
        <Time at={at} />
        {count > 1 && below(words.timesSent({ count }))}
      </>
    ),
    isMinor: true,
  },
  {
    title: words.columns.expires,
    cell: ({ expires_at: at }) => <Time at={at} />,
    isMinor: true,
  },
  { title: texts.actions, cell: actionsCell, isTitleHidden: true },
];

const emptyState = (status: InvitationsView['status']): Html =>
  status === undefined ? (
    <EmptyState icon="mail" text={words.none} />
  ) : (
    <EmptyState
      icon="search"
      text={words.noMatch}
      action={<Button label={words.showAll} href={invitationsPath} />}
    />
  );

/** Takes back a revocation, while the list still shows it as revoked. */
function undoOf({ page }: InvitationsView, { done, about }: InvitationsNotice): Html | undefined {
  const revoked = page.data.find(({ id, status }) => id === about && status === 'revoked');
  return done === 'revoked' && revoked !== undefined ? (
    <UndoButton action={`${invitationsPath}/${revoked.id}/unrevoke`} />
  ) : undefined;
}

/** Invitations, newest first. */
export function invitationsPage(view: InvitationsView, notice: InvitationsNotice): ConsolePage {
  const { page, status, cursor, names, counts } = view;
  const pager = {
    path: invitationsPath,
    query: { status },
    isFirst: cursor === undefined,
    next: page.next_cursor,
    shown: words.shown({ count: page.data.length }),
  };
  return {
    section: 'users',
    title: texts.users.title,
    actions: inviteLink(),
    every: 60,
    notice: doneNotice(words.notices, notice.done, { undo: undoOf(view, notice) }),
    body: (
      <>
        {peopleTabs('invitations', counts)}
        {statusChips(status)}
        <Card id="invitations" title={words.title} isLive>
          <Table
            caption={words.caption}
            columns={columnsFor(names)}
            rows={page.data}
            empty={emptyState(status)}
          />
          {page.data.length > 0 && cursorPager(pager)}
        </Card>
      </>
    ),
  };
}
