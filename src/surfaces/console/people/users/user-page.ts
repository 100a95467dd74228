import { html, type Html } from '../../../../lib/text/html.ts';
import { type Role, roles } from '../../../../lib/access.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { SessionRecord } from '../../../../areas/auth/session-records.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { SecondFactorStatus } from '../../../../areas/second-factor/service.ts';
import type { ListedUser } from '../../../../areas/users/store.ts';
import { entryTable } from '../audit/audit-table.ts';
import type { UserNames } from '../user-names.ts';
import { deviceTable, type DeviceRow } from '../devices/device-table.ts';
import type { ConsolePage } from '../../layout.ts';
import { plural } from '../../components/number-format.ts';
import {
  badge,
  emptyState,
  facts,
  notice,
  panel,
  sentenceOf,
  time,
} from '../../components/elements.ts';
import { postForm, confirmForm } from '../../components/forms.ts';
import { actionsColumn, table } from '../../components/tables.ts';
import { withQuery } from '../../components/navigation.ts';
import { freshHint, nameOf, userPath, confirmationOf } from '../labels.ts';
import { sectionPath } from '../../sections.ts';
import { roleBadges } from './users-page.ts';
import type { Viewer } from '../../request-context.ts';

export interface UserView {
  user: ListedUser;
  factor: SecondFactorStatus;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  devices: readonly DeviceRow[];
  plan: PlanView | undefined;
  /** What was done to the person, newest first. */
  entries: readonly AuditEventView[];
  /** Of the people in the entries. */
  names: UserNames;
  /** What the actions of entries mean. */
  actions: Readonly<Record<string, string>>;
  /** The configuration makes the person an admin at every sign-in. */
  isAdminByConfig: boolean;
}

const kinds = { email: 'Address', phone: 'Number', idp: 'Account elsewhere' } as const;

function aboutPanel({ user, plan }: UserView): Html {
  return panel({
    id: 'about',
    title: 'About',
    body: facts([
      [
        'State',
        user.disabledAt === null
          ? badge('open', 'good')
          : html`${badge('disabled', 'bad')} since ${time(user.disabledAt)}`,
      ],
      ['Roles', roleBadges(user.roles)],
      ['Last seen', time(user.lastSeenAt)],
      ['Created', time(user.createdAt)],
      ['Id', html`<code>${user.id}</code>`],
      ...(plan === undefined
        ? []
        : [
            [
              'Plan',
              html`${plan.plan ?? 'not named'}, ${plan.status.replaceAll('_', ' ')}${plan.currentPeriodEnd === null ? undefined : html`, paid until ${time(plan.currentPeriodEnd)}`}`,
            ] as const,
          ]),
    ]),
  });
}

function factorFacts({
  totp,
  passkeys,
  backupCodes,
  isEnabled,
}: SecondFactorStatus): (readonly [string, Html])[] {
  if (!isEnabled) return [['Second factor', html`none`]];
  return [
    ...(totp?.verified === true
      ? [
          [
            'Authenticator app',
            html`since ${time(totp.createdAt)}, used ${time(totp.lastUsedAt)}`,
          ] as const,
        ]
      : []),
    ...(passkeys.length === 0 ? [] : [['Passkeys', html`${passkeys.length}`] as const]),
    ['Backup codes', html`${backupCodes.left} left`],
  ];
}

function waysPanel({ user: { identities }, factor }: UserView): Html {
  const ways = identities.map(
    ({ kind, value }) =>
      [kinds[kind], html`${kind === 'idp' ? value.replace(' ', ': ') : value}`] as const,
  );
  return panel({
    id: 'ways',
    title: 'Ways to sign in',
    body: facts([...ways, ...factorFacts(factor)]),
  });
}

const networkOf = (devices: readonly DeviceRow[], { device }: SessionRecord): Html => {
  const found = devices.find(({ id }) => id === device?.id);
  return found === undefined
    ? html`–`
    : html`${found.name}<br><span class="hint">${found.place}</span>`;
};

function sessionsPanel({ user, sessions, devices }: UserView, currentId: string | undefined): Html {
  const place = userPath(user.id);
  const rows = sessions.map((session) => [
    html`<span id="session-${session.id}">${session.client}</span>${session.id === currentId ? html` ${badge('this one', 'info')}` : undefined}`,
    session.via === 'cookie' ? 'browser' : 'app',
    networkOf(devices, session),
    html`${session.acr === 'aal2' ? badge('aal2', 'good') : badge('aal1')} ${session.amr.join(', ')}`,
    time(session.created_at),
    time(session.used_at),
    postForm({
      action: `${place}/sessions/end`,
      values: { session: session.id },
      button: 'End',
      about: `session-${session.id}`,
    }),
  ]);
  const columns = ['Client', 'Held by', 'Device', 'Proved', 'Signed in', 'Last used'].map(
    (name) => ({ name }),
  );
  const all = postForm({ action: `${place}/sessions/end-all`, button: 'End all', kind: 'danger' });
  return panel({
    id: 'sessions',
    title: plural(sessions.length, 'session'),
    live: true,
    actions: sessions.length < 2 ? undefined : all,
    hint:
      sessions.length === 0
        ? undefined
        : 'A session that was ended can not be brought back: the person has to sign in again.',
    body:
      sessions.length === 0
        ? emptyState({ text: 'This person is signed in nowhere.' })
        : table({
            caption: 'Sessions, newest first',
            columns: [...columns, actionsColumn('Change')],
            rows,
          }),
  });
}

function devicesPanel({ devices, user }: UserView, viewer: Viewer): Html {
  return panel({
    id: 'devices',
    title: plural(devices.length, 'device'),
    live: true,
    hint: devices.length === 0 ? undefined : freshHint,
    actions: html`<a href="${sectionPath('devices')}">All devices</a>`,
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

function takeForm({ user, isAdminByConfig }: UserView, role: Role): Html {
  const action = `${userPath(user.id)}/roles/take`;
  if (role !== 'admin')
    return postForm({ action, values: { role }, button: `Take ${role}`, about: `role-${role}` });
  const warning = isAdminByConfig
    ? 'ADMIN_EMAILS names this address: the person is an admin again at the next sign-in, unless it is taken from there too.'
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

function rolesPanel(view: UserView, isOwn: boolean): Html {
  const { user } = view;
  const rows = roles.map((role) => {
    const isHeld = user.roles.includes(role);
    const give = postForm({
      action: `${userPath(user.id)}/roles/give`,
      values: { role },
      button: `Give ${role}`,
      about: `role-${role}`,
    });
    const form = isHeld
      ? isOwn && role === 'admin'
        ? html`Another admin can take it.`
        : takeForm(view, role)
      : give;
    return [
      html`<span id="role-${role}">${role}</span><br><span class="hint">${meanings[role]}</span>`,
      isHeld ? badge('has it', 'good') : 'no',
      form,
    ];
  });
  return panel({
    id: 'roles',
    title: 'Roles',
    hint: freshHint,
    body: table({
      caption: `Roles of ${nameOf(user)}`,
      columns: ['Role', 'Held', actionsColumn('Change')],
      rows,
    }),
  });
}

function accountPanel({ user }: UserView, isOwn: boolean): Html {
  const place = userPath(user.id);
  if (isOwn)
    return panel({
      id: 'account',
      title: 'Account',
      body: html`<p class="hint">This is your own account: another admin can disable it.</p>`,
    });
  const form =
    user.disabledAt === null
      ? confirmForm({
          id: 'disable',
          action: `${place}/disable`,
          open: 'Disable the account',
          word: confirmationOf(user),
          button: 'Disable',
          warning:
            'The person is signed out everywhere and can not sign in until the account is enabled. All devices are removed for good.',
        })
      : postForm({ action: `${place}/enable`, button: 'Enable the account' });
  return panel({ id: 'account', title: 'Account', body: form });
}

function entriesPanel({ user: { id }, entries, names, actions }: UserView): Html {
  const audit = sectionPath('audit');
  return panel({
    id: 'entries',
    title: 'Audit log',
    actions: html`<span class="actions"><a href="${withQuery(audit, { target_id: id })}">Done to them</a> <a href="${withQuery(audit, { actor_id: id })}">Done by them</a></span>`,
    body:
      entries.length === 0
        ? emptyState({ text: 'Nothing was written about this person.' })
        : entryTable({ caption: 'Last entries about this person', entries, names, actions }),
  });
}

const sentences: Readonly<Record<string, string>> = {
  session_ended: 'The session is ended.',
  sessions_ended: 'All sessions are ended.',
  admin_given: 'The person is an admin now.',
  admin_taken: 'The person is no admin any more.',
  viewer_given: 'The person may look at figures and the status now.',
  viewer_taken: 'The person is no viewer any more.',
  disabled: 'The account is disabled. Sessions and devices are gone.',
  enabled: 'The account is enabled.',
  suspended: 'The device is suspended.',
  restored: 'The device is cleared again.',
  revoked: 'The device is removed for good.',
};

/** Takes back what was just done, where that is possible and still so. */
function undoOf(
  { user, devices }: UserView,
  done: string,
  about: string | undefined,
): Html | undefined {
  const place = userPath(user.id);
  const role = (act: 'give' | 'take', name: Role) =>
    postForm({ action: `${place}/roles/${act}`, values: { role: name }, button: 'Undo' });
  const device = devices.find(({ id }) => id === about);
  if (done === 'suspended' && device?.state === 'suspended')
    return postForm({
      action: `${sectionPath('devices')}/${device.id}/restore`,
      values: { from: 'user' },
      button: 'Undo',
    });
  if (done === 'restored' && device?.state === 'cleared')
    return postForm({
      action: `${sectionPath('devices')}/${device.id}/suspend`,
      values: { from: 'user' },
      button: 'Undo',
    });
  if (done === 'disabled' && user.disabledAt !== null)
    return postForm({ action: `${place}/enable`, button: 'Enable again' });
  if (done === 'admin_taken' && !user.roles.includes('admin')) return role('give', 'admin');
  if (done === 'viewer_given' && user.roles.includes('viewer')) return role('take', 'viewer');
  return done === 'viewer_taken' && !user.roles.includes('viewer')
    ? role('give', 'viewer')
    : undefined;
}

/**
 * One person, with what admins can do. `done` names a sentence that is said first, `about` the
 * device that it is about.
 */
export function userPage(
  view: UserView,
  viewer: Viewer,
  {
    done,
    about,
    sessionId,
  }: { done?: string | undefined; about?: string | undefined; sessionId: string | undefined },
): ConsolePage {
  const isOwn = view.user.id === viewer.userId;
  const sentence = sentenceOf(sentences, done);
  return {
    section: 'users',
    title: nameOf(view.user),
    actions: html`<a href="${sectionPath('users')}">All users</a>`,
    channels: ['devices'],
    every: 60,
    notice:
      sentence === undefined || done === undefined
        ? undefined
        : notice(sentence, isOwn ? undefined : undoOf(view, done, about)),
    body: html`<div class="columns">${aboutPanel(view)}${waysPanel(view)}</div>
${sessionsPanel(view, isOwn ? sessionId : undefined)}${devicesPanel(view, viewer)}<div class="columns">${rolesPanel(view, isOwn)}${accountPanel(view, isOwn)}</div>
${entriesPanel(view)}`,
  };
}
