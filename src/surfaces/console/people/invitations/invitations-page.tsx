import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type {
  InvitationFilters,
  InvitationPage,
  InvitationView,
} from '../../../../areas/identity/invitations/schemas.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { cursorPager, tabs, textLink, withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { below, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { invitationsPath } from './invitations-path.ts';
import { InviteDialog } from './invite-dialog.tsx';

type Status = InvitationView['status'];

export interface InvitationsView {
  page: InvitationPage;
  status: InvitationFilters['status'];
  cursor: string | undefined;
}

const words = texts.invitations;
const tones: Readonly<Record<Status, Tone>> = {
  pending: 'info',
  accepted: 'ok',
  expired: 'warn',
  revoked: 'neutral',
};
const statuses = ['pending', 'accepted', 'expired', 'revoked'] as const;

const statusTabs = (current: InvitationsView['status']): Html =>
  tabs(
    words.tabs,
    [undefined, ...statuses].map((status) => ({
      href: withQuery(invitationsPath, { status }),
      text: status === undefined ? words.all : words.statuses[status],
      isCurrent: status === current,
    })),
  );

const emailCell = ({ id, email, accepted_by: by }: InvitationView): Html => (
  <span id={`invitation-${id}`}>{by === null ? escapeHtml(email) : userLink(by, email)}</span>
);

function actionsCell({ id, status }: InvitationView): Html | undefined {
  if (status !== 'pending' && status !== 'expired') return undefined;
  const about = `invitation-${id}`;
  return (
    <div class="btn-row">
      <ActionButton action={`${invitationsPath}/${id}/resend`} label={words.resend} about={about} />
      <ActionButton
        action={`${invitationsPath}/${id}/revoke`}
        label={words.revoke}
        kind="danger"
        about={about}
      />
    </div>
  );
}

const columns: readonly Column<InvitationView>[] = [
  { title: words.columns.email, cell: emailCell },
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
  },
  { title: words.columns.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
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

/** Invitations, newest first. */
export function invitationsPage(
  { page, status, cursor }: InvitationsView,
  done: string | undefined,
): ConsolePage {
  const pager = {
    path: invitationsPath,
    query: { status },
    isFirst: cursor === undefined,
    next: page.next_cursor,
    shown: words.shown({ count: page.data.length }),
  };
  return {
    section: 'users',
    title: words.title,
    actions: (
      <>
        {textLink(sectionPath('users'), words.users)}
        <InviteDialog />
      </>
    ),
    every: 60,
    notice: doneNotice(words.notices, done),
    body: (
      <>
        {statusTabs(status)}
        <Card id="invitations" title={words.title} isLive>
          <Table
            caption={words.caption}
            columns={columns}
            rows={page.data}
            empty={emptyState(status)}
          />
          {page.data.length > 0 && cursorPager(pager)}
        </Card>
      </>
    ),
  };
}
