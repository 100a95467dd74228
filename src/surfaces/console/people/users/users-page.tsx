import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { Role } from '../../../../lib/access.ts';
import type { ListedUser } from '../../../../areas/users/store.ts';
import type { ConsolePage } from '../../layout.tsx';
import { badge, emptyState, panel, time } from '../../components/elements.tsx';
import { select, field } from '../../components/forms.tsx';
import { cursorPager } from '../../components/navigation.tsx';
import { type Row, table } from '../../components/tables.tsx';
import { addressOf, nameOf, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import { type ExportColumns, exportLinks } from '../../list-export.tsx';

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
  query: UsersQuery;
}

const home = sectionPath('users');
const filtersOf = ({ find, role, disabled }: UsersQuery) => ({ find, role, disabled });

export const roleBadges = (roles: readonly Role[]): Html =>
  roles.length === 0 ? (
    <>–</>
  ) : (
    <>
      {roles.map((role) => (
        <>{badge(texts.users.roles[role], role === 'admin' ? 'info' : 'quiet')}</>
      ))}
    </>
  );

function factorText({ hasTotp, hasPasskey }: ListedUser): string {
  const { none, app, passkey, both } = texts.users.factors;
  if (hasTotp) return hasPasskey ? both : app;
  return hasPasskey ? passkey : none;
}

function row(user: ListedUser): Row {
  const reached = user.identities
    .filter(({ kind }) => kind !== 'idp')
    .map(({ value }) => (
      <>
        {escapeHtml(value)}
        <br />
      </>
    ));
  const state = user.disabledAt === null ? undefined : <>{badge(texts.users.disabled, 'bad')}</>;
  return [
    <>
      {userLink(user.id, nameOf(user))}
      {state}
    </>,
    reached.length === 0 ? escapeHtml('–') : <>{reached}</>,
    roleBadges(user.roles),
    escapeHtml(factorText(user)),
    time(user.lastSeenAt),
    time(user.createdAt),
  ];
}

function filterForm({ text, role, disabled }: UsersQuery): Html {
  const { filters, roles } = texts.users;
  const inputs = [
    field({
      id: 'text',
      label: filters.text,
      type: 'search',
      value: text,
      attributes: { placeholder: filters.placeholder },
    }),
    select({
      id: 'role',
      label: filters.role,
      options: [
        ['', filters.any],
        ['admin', roles.admin],
        ['viewer', roles.viewer],
      ],
      value: role ?? '',
    }),
    select({
      id: 'disabled',
      label: filters.account,
      options: [
        ['', filters.any],
        ['no', filters.active],
        ['yes', filters.disabled],
      ],
      value: disabled ?? '',
    }),
  ];
  return (
    <ConsoleForm
      action={`${home}/find`}
      isInline
      submit={{ label: filters.apply, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': filters.label }}
    >
      {inputs}
    </ConsoleForm>
  );
}

const isFiltered = ({ text, role, disabled }: UsersQuery): boolean =>
  (text ?? role ?? disabled) !== undefined;

const noUsers = (query: UsersQuery): Html =>
  isFiltered(query)
    ? emptyState({
        text: texts.users.noMatch,
        link: { href: home, text: texts.clearFilters },
      })
    : emptyState({
        text: texts.users.none,
        call:
          'curl -X POST "$BASE_URL/api/auth/email/initiate" \\\n' +
          "  -H 'content-type: application/json' \\\n" +
          '  -d \'{"email":"you@example.com"}\'',
      });

function userList({ users, next, query }: UsersView): Html {
  if (users.length === 0) return noUsers(query);
  const { caption, columns, shown } = texts.users;
  const list = table({
    caption,
    columns: [
      columns.name,
      columns.contact,
      columns.roles,
      columns.factor,
      columns.lastSeen,
      columns.created,
    ],
    rows: users.map(row),
  });
  const pages = cursorPager({
    path: home,
    query: filtersOf(query),
    isFirst: query.cursor === undefined,
    next,
    shown: shown({ count: users.length }),
  });
  return (
    <>
      {list}
      {pages}
    </>
  );
}

function titleOf({ users, next, query }: UsersView): string {
  if (!isFiltered(query)) return texts.users.all;
  // Other pages have more of them.
  const isWhole = next === null && query.cursor === undefined && users.length > 0;
  return isWhole ? texts.users.found({ count: users.length }) : texts.users.matching;
}

/** All users, or those that match the filters. */
export function usersPage(view: UsersView): ConsolePage {
  const { query } = view;
  return {
    section: 'users',
    title: texts.users.title,
    actions: exportLinks(home, filtersOf(query)),
    body: [
      filterForm(query),
      panel({
        id: 'users',
        title: titleOf(view),
        body: userList(view),
      }),
    ],
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
