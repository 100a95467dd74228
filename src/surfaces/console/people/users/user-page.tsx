import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { type Role, roles } from '../../../../lib/access.ts';
import type { SessionRecord } from '../../../../areas/auth/sessions/session-records.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { SecondFactorStatus } from '../../../../areas/second-factor/service.ts';
import type { ListedUser } from '../../../../areas/users/store.ts';
import { entryTable } from '../audit/audit-table.tsx';
import { deviceTable, type DeviceRow } from '../devices/device-table.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { plural } from '../../components/number-format.ts';
import { badge, emptyState, type Fact, facts, panel, time } from '../../components/elements.tsx';
import { postForm, confirmForm } from '../../components/forms.tsx';
import { actionsColumn, type Row, table } from '../../components/tables.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { freshHint, nameOf, userPath, confirmationOf } from '../labels.tsx';
import { sectionPath } from '../../sections.ts';
import { roleBadges } from './users-page.tsx';
import type { Viewer } from '../../request-context.ts';
import { userNotice } from './user-notices.tsx';
import type { UserView } from './user-view.ts';

const kinds = { email: 'Address', phone: 'Number', idp: 'Account elsewhere' } as const;

function planText({ plan, status, currentPeriodEnd: end }: PlanView): Html {
  const paid = end === null ? undefined : <>, paid until {time(end)}</>;
  return (
    <>
      {escapeHtml(plan ?? 'not named')}, {escapeHtml(status.replaceAll('_', ' '))}
      {paid}
    </>
  );
}

function aboutPanel({ user, plan }: UserView): Html {
  const state =
    user.disabledAt === null ? (
      badge('open', 'good')
    ) : (
      <>
        {badge('disabled', 'bad')} since {time(user.disabledAt)}
      </>
    );
  const body = facts([
    ['State', state],
    ['Roles', roleBadges(user.roles)],
    ['Last seen', time(user.lastSeenAt)],
    ['Created', time(user.createdAt)],
    ['Id', <code safe>{user.id}</code>],
    plan === undefined ? undefined : ['Plan', planText(plan)],
  ]);
  return panel({ id: 'about', title: 'About', body });
}

function factorFacts(factor: SecondFactorStatus): (Fact | undefined)[] {
  const { totp, passkeys, backupCodes, isEnabled } = factor;
  if (!isEnabled) return [['Second factor', escapeHtml('none')]];
  return [
    totp?.verified === true
      ? [
          'Authenticator app',
          <>
            since {time(totp.createdAt)}, used {time(totp.lastUsedAt)}
          </>,
        ]
      : undefined,
    passkeys.length === 0 ? undefined : ['Passkeys', passkeys.length],
    ['Backup codes', escapeHtml(`${backupCodes.left} left`)],
  ];
}

function signInPanel({ user: { identities }, factor }: UserView): Html {
  const ways = identities.map(({ kind, value }): Fact => [
    kinds[kind],
    kind === 'idp' ? escapeHtml(value.replace(' ', ': ')) : escapeHtml(value),
  ]);
  return panel({
    id: 'ways',
    title: 'Ways to sign in',
    body: facts([...ways, ...factorFacts(factor)]),
  });
}

function deviceText(devices: readonly DeviceRow[], { device }: SessionRecord): Html {
  const found = devices.find(({ id }) => id === device?.id);
  return found === undefined ? (
    escapeHtml('–')
  ) : (
    <>
      {escapeHtml(found.name)}
      <br />
      <span class="hint" safe>
        {found.place}
      </span>
    </>
  );
}

function sessionsPanel({ user, sessions, devices }: UserView, currentId: string | undefined): Html {
  const place = userPath(user.id);
  const row = (session: SessionRecord): Row => {
    const mark = session.id === currentId ? <>{badge('this one', 'info')}</> : undefined;
    const level = session.acr === 'aal2' ? badge('aal2', 'good') : badge('aal1');
    return [
      <>
        <span id={`session-${session.id}`} safe>
          {session.client}
        </span>
        {mark}
      </>,
      session.via === 'cookie' ? escapeHtml('browser') : escapeHtml('app'),
      deviceText(devices, session),
      <>
        {level} {escapeHtml(session.amr.join(', '))}
      </>,
      time(session.created_at),
      time(session.used_at),
      postForm({
        action: `${place}/sessions/end`,
        values: { session: session.id },
        button: 'End',
        about: `session-${session.id}`,
      }),
    ];
  };
  const endAll = postForm({
    action: `${place}/sessions/end-all`,
    button: 'End all',
    kind: 'danger',
  });
  const columns = ['Client', 'Held by', 'Device', 'Proved', 'Signed in', 'Last used'];
  return panel({
    id: 'sessions',
    title: plural(sessions.length, 'session'),
    live: true,
    actions: sessions.length < 2 ? undefined : endAll,
    hint:
      sessions.length === 0
        ? undefined
        : 'A session that was ended can not be brought back: the person has to sign in again.',
    body: table({
      caption: 'Sessions, newest first',
      columns: [...columns, actionsColumn('Change')],
      rows: sessions.map(row),
      empty: emptyState({ text: 'This person is signed in nowhere.' }),
    }),
  });
}

function devicesPanel({ devices, user }: UserView, viewer: Viewer): Html {
  return panel({
    id: 'devices',
    title: plural(devices.length, 'device'),
    live: true,
    hint: devices.length === 0 ? undefined : freshHint,
    actions: <a href={sectionPath('devices')}>All devices</a>,
    body:
      devices.length === 0
        ? emptyState({ text: 'No device of this person has asked for clearance.' })
        : deviceTable({
            caption: `Devices of ${nameOf(user)}`,
            devices,
            viewerId: viewer.userId,
            from: 'user',
          }),
  });
}

const meanings: Readonly<Record<Role, string>> = {
  admin: 'may see and change everything here',
  viewer: 'may look at figures and the status',
};

function removeRoleForm({ user, isAdminByConfig }: UserView, role: Role): Html {
  const action = `${userPath(user.id)}/roles/take`;
  if (role !== 'admin')
    return postForm({ action, values: { role }, button: `Take ${role}`, about: `role-${role}` });
  const warning = isAdminByConfig
    ? 'ADMIN_EMAILS names this address: the person is an admin again at the next sign-in, ' +
      'unless it is taken from there too.'
    : 'The person can not open what is for admins any more, at once.';
  return confirmForm({
    id: 'take-admin',
    action,
    values: { role },
    open: 'Take admin',
    word: confirmationOf(user),
    warning,
    button: 'Take admin',
  });
}

function roleForm(view: UserView, role: Role, isOwn: boolean): Html {
  const { user } = view;
  if (!user.roles.includes(role))
    return postForm({
      action: `${userPath(user.id)}/roles/give`,
      values: { role },
      button: `Give ${role}`,
      about: `role-${role}`,
    });
  return isOwn && role === 'admin'
    ? escapeHtml('Another admin can take it.')
    : removeRoleForm(view, role);
}

function rolesPanel(view: UserView, isOwn: boolean): Html {
  const { user } = view;
  const body = table({
    caption: `Roles of ${nameOf(user)}`,
    columns: ['Role', 'Held', actionsColumn('Change')],
    rows: roles.map((role) => [
      <>
        <span id={`role-${role}`} safe>
          {role}
        </span>
        <br />
        <span class="hint" safe>
          {meanings[role]}
        </span>
      </>,
      user.roles.includes(role) ? badge('has it', 'good') : escapeHtml('no'),
      roleForm(view, role, isOwn),
    ]),
  });
  return panel({ id: 'roles', title: 'Roles', hint: freshHint, body });
}

function accountForm(user: ListedUser): Html {
  const place = userPath(user.id);
  if (user.disabledAt !== null)
    return postForm({ action: `${place}/enable`, button: 'Enable the account' });
  return confirmForm({
    id: 'disable',
    action: `${place}/disable`,
    open: 'Disable the account',
    word: confirmationOf(user),
    button: 'Disable',
    warning:
      'The person is signed out everywhere and can not sign in until the account is enabled. ' +
      'All devices are removed for good.',
  });
}

function accountPanel({ user }: UserView, isOwn: boolean): Html {
  const body = isOwn ? (
    <p class="hint">This is your own account: another admin can disable it.</p>
  ) : (
    accountForm(user)
  );
  return panel({ id: 'account', title: 'Account', body });
}

function entriesPanel({ user: { id }, entries, names, actions }: UserView): Html {
  const link = (key: string, text: string) => (
    <a href={withQuery(sectionPath('audit'), { [key]: id })} safe>
      {text}
    </a>
  );
  const links = (
    <>
      {link('target_id', 'Done to them')} {link('actor_id', 'Done by them')}
    </>
  );
  return panel({
    id: 'entries',
    title: 'Audit log',
    actions: <span class="actions">{links}</span>,
    body:
      entries.length === 0
        ? emptyState({ text: 'Nothing was written about this person.' })
        : entryTable({ caption: 'Last entries about this person', entries, names, actions }),
  });
}

export interface UserPageState {
  /** Key of the notice. */
  done?: string | undefined;
  /** The device that the notice is about. */
  about?: string | undefined;
  /** The viewer's own session. */
  sessionId: string | undefined;
}

/** The page of a user, with actions for admins. */
export function userPage(
  view: UserView,
  viewer: Viewer,
  { done, about, sessionId }: UserPageState,
): ConsolePage {
  const isOwn = view.user.id === viewer.userId;
  return {
    section: 'users',
    title: nameOf(view.user),
    actions: <a href={sectionPath('users')}>All users</a>,
    channels: ['devices'],
    every: 60,
    notice: userNotice(view, isOwn, { done, about }),
    body: (
      <>
        <div class="columns">
          {aboutPanel(view)}
          {signInPanel(view)}
        </div>
        {sessionsPanel(view, isOwn ? sessionId : undefined)}
        {devicesPanel(view, viewer)}
        <div class="columns">
          {rolesPanel(view, isOwn)}
          {accountPanel(view, isOwn)}
        </div>
        {entriesPanel(view)}
      </>
    ),
  };
}
