import { type Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import { userResource } from '../../../../areas/identity/directory/resource.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import type { UserOrder, UserTotals } from '../../../../areas/identity/users/queries/list.ts';
import type { ExportColumns } from '../../../../platform/resource/list-file.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { Copy, Menu } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { BulkList, RowCheck } from '../../components/bulk-list.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { pagePager, withQuery } from '../../components/navigation.tsx';
import { count } from '../../components/number-format.ts';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { exportLinks } from '../../list-export.tsx';
import { importPath } from '../../resources/resource-paths.ts';
import { sectionPath } from '../../sections.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { inviteLink } from '../invitations/invite-page.tsx';
import { nameOf } from '../labels.tsx';
import { UserCell } from '../person.tsx';
import { type PeopleCounts, peopleTabs } from '../people-tabs.tsx';
import { texts } from '../texts/en.ts';
import { type OpenReset, openResetsNotice } from './factor-reset-panel.tsx';
import { userMenuItems } from './user-menu.tsx';

/** The filters. */
interface UsersQuery {
  text?: string | undefined;
  /** The sealed text, as it is in URLs. */
  find?: string | undefined;
  role?: Role | undefined;
  /** `yes`: only suspended accounts. */
  disabled?: 'yes' | 'no' | undefined;
  order: UserOrder;
  page: number;
}

export interface UsersView {
  users: readonly ListedUser[];
  /** How many match. */
  found: number;
  totals: UserTotals;
  counts: PeopleCounts;
  /** Users whose 2FA is about to be reset. */
  resets: readonly OpenReset[];
  query: UsersQuery;
  viewerId: string;
  notice: Html | undefined;
}

export const usersPageSize = 25;

const home = sectionPath('users');
const words = texts.users;
const listId = 'users-list';
const filtersOf = ({ find, role, disabled }: UsersQuery) => ({ find, role, disabled });

const roleBadges = (roles: readonly Role[]): Html =>
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

const personCell = (user: ListedUser): Html => (
  <div class="pick">
    <RowCheck list={listId} name="user[]" value={user.id} labelledBy={`user-${user.id}`} />
    <UserCell user={user}>
      {user.disabledAt !== null && <Badge text={words.disabled} tone="bad" />}
    </UserCell>
  </div>
);

function columnsFor({ query, viewerId }: UsersView): Column<ListedUser>[] {
  const { columns } = words;
  const sort = (order: UserOrder, direction: 'ascending' | 'descending') => ({
    href: withQuery(home, { ...filtersOf(query), order: order === 'seen' ? undefined : order }),
    direction: query.order === order ? direction : undefined,
  });
  return [
    { title: columns.name, cell: personCell, sort: sort('name', 'ascending') },
    { title: columns.roles, cell: ({ roles }) => roleBadges(roles) },
    { title: columns.factor, text: factorText, isMinor: true },
    {
      title: columns.lastSeen,
      cell: ({ lastSeenAt }) => <OptionalTime at={lastSeenAt} />,
      sort: sort('seen', 'descending'),
    },
    {
      title: columns.created,
      cell: ({ createdAt }) => <Time at={createdAt} />,
      sort: sort('created', 'descending'),
      isMinor: true,
    },
    {
      title: texts.actions,
      cell: (user) => (
        <Menu
          id={`menu-${user.id}`}
          label={texts.actionsFor({ name: nameOf(user) })}
          isIconOnly
          items={userMenuItems(user, user.id === viewerId, listId)}
        />
      ),
      isTitleHidden: true,
      isNumber: true,
    },
  ];
}

function searchForm({ query: { text, role, disabled } }: UsersView): Html {
  const { filters } = words;
  return (
    <ConsoleForm
      action={`${home}/find`}
      isInline
      values={{ role, disabled }}
      submit={{ label: filters.apply, kind: 'secondary', icon: 'search', isIconOnly: true }}
      attributes={{ role: 'search', 'aria-label': filters.label }}
    >
      <Field
        id="text"
        label={filters.text}
        isLabelHidden
        type="search"
        value={text}
        attributes={{ placeholder: filters.placeholder }}
      />
    </ConsoleForm>
  );
}

/** Who is listed: everyone, those with a role, those who are suspended. */
function filterChips({ query, totals }: UsersView): Html {
  const { find, role, disabled } = query;
  const chip = (text: string, total: number, filters: Pick<UsersQuery, 'role' | 'disabled'>) => ({
    href: withQuery(home, { find, ...filters }),
    text: words.chip({ text, count: count(total) }),
    isCurrent: role === filters.role && disabled === filters.disabled,
  });
  const { everyone, admins, viewers } = words.filters;
  return (
    <Tabs
      label={words.filters.chips}
      isCompact
      links={[
        chip(everyone, totals.all, {}),
        chip(admins, totals.admin, { role: 'admin' }),
        chip(viewers, totals.viewer, { role: 'viewer' }),
        chip(words.disabled, totals.disabled, { disabled: 'yes' }),
      ]}
    />
  );
}

const isFiltered = ({ text, role, disabled }: UsersQuery): boolean =>
  (text ?? role ?? disabled) !== undefined;

const noUsers = (query: UsersQuery): Html =>
  isFiltered(query) ? (
    <EmptyState
      icon="search"
      text={words.noMatch}
      action={<Button label={texts.clearFilters} href={home} />}
    />
  ) : (
    <EmptyState icon="users" text={words.none}>
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

/** What can be done with the selected people. */
function bulkActions(): Html {
  const button = (action: 'sign_out' | 'suspend' | 'resume') => (
    <Button
      label={words.bulk[action]}
      size="small"
      attributes={{ name: 'action', value: action }}
    />
  );
  return (
    <>
      {button('sign_out')}
      {button('suspend')}
      {button('resume')}
    </>
  );
}

function list(view: UsersView): Html {
  const { users, found, query } = view;
  if (users.length === 0) return noUsers(query);
  const pager = pagePager({
    path: home,
    query: { ...filtersOf(query), order: query.order === 'seen' ? undefined : query.order },
    page: query.page,
    pageSize: usersPageSize,
    total: found,
  });
  return (
    <>
      <BulkList id={listId} action={`${home}/bulk`} actions={bulkActions()}>
        <Table caption={words.caption} columns={columnsFor(view)} rows={users} />
      </BulkList>
      {pager}
    </>
  );
}

/** All users, or those that match the filters. */
export function usersPage(view: UsersView): ConsolePage {
  const { query, counts, notice } = view;
  return {
    section: 'users',
    title: words.title,
    notice,
    actions: (
      <>
        <Menu
          id="users-menu"
          label={words.more}
          isIconOnly
          items={[
            <a href={importPath(userResource)} safe>
              {words.import}
            </a>,
            exportLinks(home, filtersOf(query)),
          ]}
        />
        {inviteLink()}
      </>
    ),
    body: (
      <>
        {peopleTabs('users', counts)}
        {openResetsNotice(view.resets)}
        <div class="toolbar">
          {searchForm(view)}
          {filterChips(view)}
        </div>
        <Card id="users" title={isFiltered(query) ? words.found({ count: view.found }) : words.all}>
          {list(view)}
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
