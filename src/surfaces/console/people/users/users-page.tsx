import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import type { ConsolePage } from '../../layout.tsx';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { cursorPager, textLink } from '../../components/navigation.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { addressOf, nameOf, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import type { ExportColumns } from '../../../../platform/resource/list-file.ts';
import { exportLinks } from '../../list-export.tsx';
import { importLink } from '../../resources/list-page.tsx';
import { userResource } from '../../../../areas/identity/directory/resource.ts';
import { type OpenReset, openResetsNotice } from './factor-reset-panel.tsx';
import { InviteDialog } from '../invitations/invite-dialog.tsx';
import { invitationsPath } from '../invitations/invitations-path.ts';

/** The filters. */
interface UsersQuery {
  text?: string | undefined;
  /** The sealed text, as it is in URLs. */
  find?: string | undefined;
  role?: Role | undefined;
  /** `yes`: only disabled accounts. */
  disabled?: 'yes' | 'no' | undefined;
  cursor?: string | undefined;
}

export interface UsersView {
  users: readonly ListedUser[];
  next: string | null;
  /** Users whose 2FA is about to be reset. */
  resets: readonly OpenReset[];
  query: UsersQuery;
}

const home = sectionPath('users');
const words = texts.users;
const filtersOf = ({ find, role, disabled }: UsersQuery) => ({ find, role, disabled });

export const roleBadges = (roles: readonly Role[]): Html =>
  roles.length === 0 ? (
    <>–</>
  ) : (
    <>
      {roles.map((role) => (
        <Badge text={words.roles[role]} tone={role === 'admin' ? 'info' : 'neutral'} />
      ))}
    </>
  );

function factorText({ hasTotp, hasPasskey }: ListedUser): string {
  const { none, app, passkey, both } = words.factors;
  if (hasTotp) return hasPasskey ? both : app;
  return hasPasskey ? passkey : none;
}

function contact({ identities }: ListedUser): Html {
  const reached = identities.filter(({ kind }) => kind !== 'idp');
  if (reached.length === 0) return escapeHtml('–');
  return (
    <>
      {reached.map(({ value }) => (
        <>
          {escapeHtml(value)}
          <br />
        </>
      ))}
    </>
  );
}

const columns: readonly Column<ListedUser>[] = [
  {
    title: words.columns.name,
    cell: (user) => (
      <>
        {userLink(user.id, nameOf(user))}
        {user.disabledAt !== null && <Badge text={words.disabled} tone="bad" />}
      </>
    ),
  },
  { title: words.columns.contact, cell: contact },
  { title: words.columns.roles, cell: ({ roles }) => roleBadges(roles) },
  { title: words.columns.factor, text: factorText },
  { title: words.columns.lastSeen, cell: ({ lastSeenAt }) => <OptionalTime at={lastSeenAt} /> },
  { title: words.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function filterForm({ text, role, disabled }: UsersQuery): Html {
  const { filters, roles } = words;
  return (
    <ConsoleForm
      action={`${home}/find`}
      isInline
      submit={{ label: filters.apply, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': filters.label }}
    >
      <Field
        id="text"
        label={filters.text}
        type="search"
        value={text}
        attributes={{ placeholder: filters.placeholder }}
      />
      <SelectField
        id="role"
        label={filters.role}
        options={[
          ['', filters.any],
          ['admin', roles.admin],
          ['viewer', roles.viewer],
        ]}
        value={role ?? ''}
      />
      <SelectField
        id="disabled"
        label={filters.account}
        options={[
          ['', filters.any],
          ['no', filters.active],
          ['yes', filters.disabled],
        ]}
        value={disabled ?? ''}
      />
    </ConsoleForm>
  );
}

const isFiltered = ({ text, role, disabled }: UsersQuery): boolean =>
  (text ?? role ?? disabled) !== undefined;

const noUsers = (query: UsersQuery): Html =>
  isFiltered(query) ? (
    <EmptyState
      icon="list"
      text={words.noMatch}
      action={<Button label={texts.clearFilters} href={home} />}
    />
  ) : (
    <EmptyState icon="list" text={words.none}>
      <Copy
        label={consoleTexts.copy}
        text={
          'curl -X POST "$BASE_URL/api/auth/email/initiate" \\\n' +
          "  -H 'content-type: application/json' \\\n" +
          '  -d \'{"email":"you@example.com"}\''
        }
      />
    </EmptyState>
  );

function titleOf({ users, next, query }: UsersView): string {
  if (!isFiltered(query)) return words.all;
  // Other pages have more of them.
  const isWhole = next === null && query.cursor === undefined && users.length > 0;
  return isWhole ? words.found({ count: users.length }) : words.matching;
}

/** All users, or those that match the filters. */
export function usersPage(view: UsersView): ConsolePage {
  const { users, next, query } = view;
  const pager = {
    path: home,
    query: filtersOf(query),
    isFirst: query.cursor === undefined,
    next,
    shown: words.shown({ count: users.length }),
  };
  return {
    section: 'users',
    title: words.title,
    actions: (
      <>
        <InviteDialog />
        {textLink(invitationsPath, texts.invitations.title)}
        {importLink(userResource)}
        {exportLinks(home, filtersOf(query))}
      </>
    ),
    body: (
      <>
        {openResetsNotice(view.resets)}
        {filterForm(query)}
        <Card id="users" title={titleOf(view)}>
          <Table caption={words.caption} columns={columns} rows={users} empty={noUsers(query)} />
          {users.length > 0 && cursorPager(pager)}
        </Card>
      </>
    ),
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const valueOf = (user: ListedUser, kind: 'email' | 'phone'): string | null =>
  user.identities.find((identity) => identity.kind === kind)?.value ?? null;

function factorCell({ hasTotp, hasPasskey }: ListedUser): string {
  const kinds = [...(hasTotp ? ['app'] : []), ...(hasPasskey ? ['passkey'] : [])];
  return kinds.length === 0 ? 'none' : kinds.join(', ');
}

/** Columns of the exported file. */
export const userColumns: ExportColumns<ListedUser> = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['email', (user) => valueOf(user, 'email')],
  ['phone', (user) => valueOf(user, 'phone')],
  ['roles', ({ roles }) => roles.join(' ')],
  ['second_factor', factorCell],
  ['created_at', ({ createdAt }) => iso(createdAt)],
  ['last_seen_at', ({ lastSeenAt }) => iso(lastSeenAt)],
  ['disabled_at', ({ disabledAt }) => iso(disabledAt)],
];

/** Address and roles of a user, for search results. */
export const hintOf = (user: ListedUser): string =>
  [addressOf(user), ...user.roles].filter((text) => text !== undefined).join(', ');
