import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { type Role, roles } from '../../../../lib/access.ts';
import type { SessionRecord } from '../../../../areas/auth/sessions/session-records.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { SecondFactorStatus } from '../../../../areas/second-factor/service.ts';
import type { ListedUser } from '../../../../areas/users/store.ts';
import { entryTable } from '../audit/audit-table.tsx';
import { deviceTable, type DeviceRow } from '../devices/device-table.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { badge, emptyState, type Fact, facts, panel, time } from '../../components/elements.tsx';
import { postForm, confirmForm } from '../../components/forms.tsx';
import { actionsColumn, type Row, table } from '../../components/tables.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { nameOf, userPath, confirmationOf } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import { roleBadges } from './users-page.tsx';
import type { Viewer } from '../../request-context.ts';
import { userNotice } from './user-notices.tsx';
import type { UserView } from './user-view.ts';

const page = texts.user;

const capitalized = (text: string): string =>
  text.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

function planFacts(plan: PlanView | undefined): (Fact | undefined)[] {
  if (plan === undefined) return [];
  const { about } = page;
  const { plan: name, status, currentPeriodEnd: end } = plan;
  return [
    [about.plan, escapeHtml(name ?? about.unnamedPlan)],
    [about.planStatus, escapeHtml(capitalized(status))],
    end === null ? undefined : [about.paidUntil, time(end)],
  ];
}

function aboutPanel({ user, plan }: UserView): Html {
  const { about } = page;
  const isActive = user.disabledAt === null;
  const body = facts([
    [about.status, isActive ? badge(about.active, 'good') : badge(about.disabled, 'bad')],
    isActive ? undefined : [about.disabledSince, time(user.disabledAt)],
    [about.roles, roleBadges(user.roles)],
    [about.lastSeen, time(user.lastSeenAt)],
    [about.created, time(user.createdAt)],
    [about.id, <code safe>{user.id}</code>],
    ...planFacts(plan),
  ]);
  return panel({ id: 'about', title: about.title, body });
}

function factorFacts(factor: SecondFactorStatus): (Fact | undefined)[] {
  const { totp, passkeys, backupCodes, isEnabled } = factor;
  const { signIn } = page;
  if (!isEnabled) return [[signIn.factor, escapeHtml(signIn.factorOff)]];
  return [
    totp?.verified === true
      ? [
          signIn.app,
          rich(totp.lastUsedAt === null ? signIn.appUnused : signIn.appUsed, {
            added: () => time(totp.createdAt),
            used: () => time(totp.lastUsedAt),
          }),
        ]
      : undefined,
    passkeys.length === 0 ? undefined : [signIn.passkeys, passkeys.length],
    [signIn.backupCodes, escapeHtml(signIn.codesLeft({ count: backupCodes.left }))],
  ];
}

function signInPanel({ user: { identities }, factor }: UserView): Html {
  const ways = identities.map(({ kind, value }): Fact => [
    page.signIn[kind],
    kind === 'idp' ? escapeHtml(value.replace(' ', ': ')) : escapeHtml(value),
  ]);
  return panel({
    id: 'ways',
    title: page.signIn.title,
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

const signInTexts: Readonly<Partial<Record<string, string>>> = texts.signIns;

/** How a session was started: the first method, and whether a second factor followed. */
function signInText({ amr, acr }: SessionRecord): Html {
  const [first = ''] = amr;
  const { otherMethod, factor } = page.sessions;
  const text = signInTexts[first] ?? otherMethod({ methods: amr.join(', ') });
  const mark = acr === 'aal2' ? badge(factor, 'good') : undefined;
  return (
    <>
      {escapeHtml(text)} {mark}
    </>
  );
}

function sessionRow(session: SessionRecord, view: UserView, currentId: string | undefined): Row {
  const { sessions } = page;
  const mark = session.id === currentId ? <>{badge(sessions.current, 'info')}</> : undefined;
  return [
    <>
      <span id={`session-${session.id}`} safe>
        {session.client}
      </span>
      {mark}
    </>,
    escapeHtml(session.via === 'cookie' ? sessions.browser : sessions.app),
    deviceText(view.devices, session),
    signInText(session),
    time(session.created_at),
    time(session.used_at),
    postForm({
      action: `${userPath(view.user.id)}/sessions/end`,
      values: { session: session.id },
      button: sessions.end,
      about: `session-${session.id}`,
    }),
  ];
}

function sessionsPanel(view: UserView, currentId: string | undefined): Html {
  const { sessions, user } = view;
  const { title, hint, caption, columns, endAll, none } = page.sessions;
  const endAllForm = postForm({
    action: `${userPath(user.id)}/sessions/end-all`,
    button: endAll,
    kind: 'danger',
  });
  return panel({
    id: 'sessions',
    title: title({ count: sessions.length }),
    live: true,
    actions: sessions.length < 2 ? undefined : endAllForm,
    hint: sessions.length === 0 ? undefined : hint,
    body: table({
      caption,
      columns: [
        columns.client,
        columns.kind,
        columns.device,
        columns.method,
        columns.started,
        columns.used,
        actionsColumn(texts.actions),
      ],
      rows: sessions.map((session) => sessionRow(session, view, currentId)),
      empty: emptyState({ text: none }),
    }),
  });
}

function devicesPanel({ devices, user }: UserView, viewer: Viewer): Html {
  return panel({
    id: 'devices',
    title: page.devices.title({ count: devices.length }),
    live: true,
    hint: devices.length === 0 ? undefined : texts.freshHint,
    actions: (
      <a href={sectionPath('devices')} safe>
        {page.devices.all}
      </a>
    ),
    body:
      devices.length === 0
        ? emptyState({ text: page.devices.none })
        : deviceTable({
            caption: page.devices.caption({ name: nameOf(user) }),
            devices,
            viewerId: viewer.userId,
            from: 'user',
          }),
  });
}

function removeRoleForm({ user, isAdminByConfig }: UserView, role: Role): Html {
  const action = `${userPath(user.id)}/roles/take`;
  const { remove, configuredWarning, removeWarning } = page.roles;
  const button = remove[role];
  if (role !== 'admin')
    return postForm({ action, values: { role }, button, about: `role-${role}` });
  return confirmForm({
    id: 'take-admin',
    action,
    values: { role },
    open: button,
    word: confirmationOf(user),
    warning: isAdminByConfig ? configuredWarning : removeWarning,
    button,
  });
}

function roleForm(view: UserView, role: Role, isOwn: boolean): Html {
  const { user } = view;
  if (!user.roles.includes(role))
    return postForm({
      action: `${userPath(user.id)}/roles/give`,
      values: { role },
      button: page.roles.make[role],
      about: `role-${role}`,
    });
  return isOwn && role === 'admin' ? escapeHtml(page.roles.ownAdmin) : removeRoleForm(view, role);
}

function rolesPanel(view: UserView, isOwn: boolean): Html {
  const { user } = view;
  const { caption, columns, meanings, yes, no, title } = page.roles;
  const body = table({
    caption: caption({ name: nameOf(user) }),
    columns: [columns.role, columns.assigned, actionsColumn(texts.actions)],
    rows: roles.map((role) => [
      <>
        <span id={`role-${role}`} safe>
          {texts.users.roles[role]}
        </span>
        <br />
        <span class="hint" safe>
          {meanings[role]}
        </span>
      </>,
      user.roles.includes(role) ? badge(yes, 'good') : escapeHtml(no),
      roleForm(view, role, isOwn),
    ]),
  });
  return panel({ id: 'roles', title, hint: texts.freshHint, body });
}

function accountForm(user: ListedUser): Html {
  const place = userPath(user.id);
  const { enable, disable, disableWarning } = page.account;
  if (user.disabledAt !== null) return postForm({ action: `${place}/enable`, button: enable });
  return confirmForm({
    id: 'disable',
    action: `${place}/disable`,
    open: disable,
    word: confirmationOf(user),
    button: disable,
    warning: disableWarning,
  });
}

function accountPanel({ user }: UserView, isOwn: boolean): Html {
  const body = isOwn ? (
    <p class="hint" safe>
      {page.account.own}
    </p>
  ) : (
    accountForm(user)
  );
  return panel({ id: 'account', title: page.account.title, body });
}

function entriesPanel({ user: { id }, entries, names, actions }: UserView): Html {
  const { title, caption, asTarget, asActor, none } = page.entries;
  const link = (key: string, text: string) => (
    <a href={withQuery(sectionPath('audit'), { [key]: id })} safe>
      {text}
    </a>
  );
  const links = (
    <>
      {link('target_id', asTarget)}
      {link('actor_id', asActor)}
    </>
  );
  return panel({
    id: 'entries',
    title,
    actions: links,
    body:
      entries.length === 0
        ? emptyState({ text: none })
        : entryTable({ caption, entries, names, actions }),
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
    actions: (
      <a href={sectionPath('users')} safe>
        {page.all}
      </a>
    ),
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
