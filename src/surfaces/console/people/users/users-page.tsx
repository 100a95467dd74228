import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import type { ListedUser } from '../../../../areas/users/store.ts';
import type { ConsolePage } from '../../layout.tsx';
import { plural } from '../../components/number-format.ts';
import { badge, emptyState, panel, time } from '../../components/elements.tsx';
import { select, field } from '../../components/forms.tsx';
import { cursorPager } from '../../components/navigation.tsx';
import { type Row, table } from '../../components/tables.tsx';
import { addressOf, nameOf, userLink } from '../labels.tsx';
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
        <>{badge(role, role === 'admin' ? 'info' : 'quiet')}</>
      ))}
    </>
  );

/** The kinds of active second factors, as text. */
function factorText({ hasTotp, hasPasskey }: Pick<ListedUser, 'hasTotp' | 'hasPasskey'>): string {
  const kinds = [...(hasTotp ? ['app'] : []), ...(hasPasskey ? ['passkey'] : [])];
  return kinds.length === 0 ? 'none' : kinds.join(', ');
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
  const state = user.disabledAt === null ? undefined : <>{badge('disabled', 'bad')}</>;
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
  const form = {
    class: 'filters',
    method: 'post',
    action: `${home}/find`,
    role: 'search',
    'aria-label': 'Users',
    'data-send': true,
  };
  const inputs = [
    field({
      id: 'text',
      label: 'Name, address or number',
      type: 'search',
      value: text,
      attributes: { placeholder: 'begins with …' },
    }),
    select({
      id: 'role',
      label: 'Role',
      options: [
        ['', 'Any'],
        ['admin', 'Admin'],
        ['viewer', 'Viewer'],
      ],
      value: role ?? '',
    }),
    select({
      id: 'disabled',
      label: 'Account',
      options: [
        ['', 'Any'],
        ['no', 'Open'],
        ['yes', 'Disabled'],
      ],
      value: disabled ?? '',
    }),
  ];
  return (
    <form {...form}>
      {inputs}
      <button type="submit">Filter</button>
    </form>
  );
}

const isFiltered = ({ text, role, disabled }: UsersQuery): boolean =>
  (text ?? role ?? disabled) !== undefined;

const noUsers = (query: UsersQuery): Html =>
  isFiltered(query)
    ? emptyState({
        text: 'Nobody fits. Filters look at what a name, an address or a number begins with.',
        link: { href: home, text: 'Show everybody' },
      })
    : emptyState({
        text: 'Nobody has signed in yet. A first sign-in makes a user:',
        call:
          'curl -X POST "$BASE_URL/api/auth/email/initiate" \\\n' +
          "  -H 'content-type: application/json' \\\n" +
          '  -d \'{"email":"you@example.com"}\'',
      });

function userList({ users, next, query }: UsersView): Html {
  if (users.length === 0) return noUsers(query);
  const list = table({
    caption: 'Users, newest first',
    columns: ['Name', 'Reached by', 'Roles', 'Second factor', 'Last seen', 'Created'],
    rows: users.map(row),
  });
  const pages = cursorPager({
    path: home,
    query: filtersOf(query),
    isFirst: query.cursor === undefined,
    next,
    shown: `${plural(users.length, 'user')} on this page, newest first`,
  });
  return (
    <>
      {list}
      {pages}
    </>
  );
}

/** All users, or those that match the filters. */
export function usersPage(view: UsersView): ConsolePage {
  const { query } = view;
  return {
    section: 'users',
    title: 'Users',
    actions: exportLinks(home, filtersOf(query)),
    body: [
      filterForm(query),
      panel({
        id: 'users',
        title: isFiltered(query) ? 'Who fits' : 'Everybody',
        body: userList(view),
      }),
    ],
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const valueOf = (user: ListedUser, kind: 'email' | 'phone'): string | null =>
  user.identities.find((identity) => identity.kind === kind)?.value ?? null;

/** Columns of the exported file. */
export const userColumns: ExportColumns<ListedUser> = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['email', (user) => valueOf(user, 'email')],
  ['phone', (user) => valueOf(user, 'phone')],
  ['roles', ({ roles }) => roles.join(' ')],
  ['second_factor', factorText],
  ['created_at', ({ createdAt }) => iso(createdAt)],
  ['last_seen_at', ({ lastSeenAt }) => iso(lastSeenAt)],
  ['disabled_at', ({ disabledAt }) => iso(disabledAt)],
];

/** Address and roles of a user, for search results. */
export const hintOf = (user: ListedUser): string =>
  [addressOf(user), ...user.roles].filter((text) => text !== undefined).join(', ');
