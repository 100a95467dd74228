import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { type Role, roles } from '../../../../lib/access.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { SecondFactorStatus } from '../../../../areas/identity/factors/service.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import { EntryTable } from '../audit/audit-table.tsx';
import { DeviceTable } from '../devices/device-table.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, type Fact, Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton, ConfirmForm } from '../../components/console-form.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { textLink, withQuery } from '../../components/navigation.tsx';
import { below, confirmationOf, nameOf, readable, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import { roleBadges } from './users-page.tsx';
import type { Viewer } from '../../viewer.ts';
import { factorResetPanel } from './factor-reset-panel.tsx';
import { sessionsPanel } from './sessions-panel.tsx';
import { userNotice } from './user-notices.tsx';
import type { UserView } from './user-view.ts';

const page = texts.user;

function planFacts(plan: PlanView | undefined): (Fact | undefined)[] {
  if (plan === undefined) return [];
  const { about } = page;
  const { plan: name, status, currentPeriodEnd: end } = plan;
  return [
    { name: about.plan, value: escapeHtml(name ?? about.unnamedPlan) },
    { name: about.planStatus, value: escapeHtml(readable(status)) },
    end === null ? undefined : { name: about.paidUntil, value: <Time at={end} /> },
  ];
}

function aboutPanel({ user, plan }: UserView): Html {
  const { about } = page;
  const { disabledAt } = user;
  const status =
    disabledAt === null ? (
      <Badge text={about.active} tone="ok" />
    ) : (
      <Badge text={about.disabled} tone="bad" />
    );
  return (
    <Card id="about" title={about.title}>
      <Facts
        facts={[
          { name: about.status, value: status },
          disabledAt === null
            ? undefined
            : { name: about.disabledSince, value: <Time at={disabledAt} /> },
          { name: about.roles, value: roleBadges(user.roles) },
          { name: about.lastSeen, value: <OptionalTime at={user.lastSeenAt} /> },
          { name: about.created, value: <Time at={user.createdAt} /> },
          { name: about.id, value: <code safe>{user.id}</code> },
          ...planFacts(plan),
        ]}
      />
    </Card>
  );
}

function factorFacts(factor: SecondFactorStatus): (Fact | undefined)[] {
  const { totp, passkeys, backupCodes, isEnabled } = factor;
  const { signIn } = page;
  if (!isEnabled) return [{ name: signIn.factor, value: escapeHtml(signIn.factorOff) }];
  return [
    totp?.verified === true
      ? {
          name: signIn.app,
          value: rich(totp.lastUsedAt === null ? signIn.appUnused : signIn.appUsed, {
            added: () => <Time at={totp.createdAt} />,
            used: () => <OptionalTime at={totp.lastUsedAt} />,
          }),
        }
      : undefined,
    passkeys.length === 0 ? undefined : { name: signIn.passkeys, value: passkeys.length },
    {
      name: signIn.backupCodes,
      value: escapeHtml(signIn.codesLeft({ count: backupCodes.left })),
    },
  ];
}

function signInPanel({ user: { identities }, factor }: UserView): Html {
  const ways = identities.map(({ kind, value }) => ({
    name: page.signIn[kind],
    value: escapeHtml(kind === 'idp' ? value.replace(' ', ': ') : value),
  }));
  return (
    <Card id="ways" title={page.signIn.title}>
      <Facts facts={[...ways, ...factorFacts(factor)]} />
    </Card>
  );
}

function devicesPanel({ devices, user }: UserView, viewer: Viewer): Html {
  const words = page.devices;
  const all = textLink(sectionPath('devices'), words.all);
  return (
    <Card
      id="devices"
      title={words.title({ count: devices.length })}
      isLive
      hint={devices.length === 0 ? undefined : texts.freshHint}
      actions={all}
    >
      <DeviceTable
        caption={words.caption({ name: nameOf(user) })}
        devices={devices}
        viewerId={viewer.userId}
        from="user"
        empty={<EmptyState icon="list" text={words.none} />}
      />
    </Card>
  );
}

function roleForm({ user, isAdminByConfig }: UserView, role: Role, isOwn: boolean): Html {
  const { make, makeWarning, remove, ownAdmin, configuredWarning, removeWarning } = page.roles;
  const isAssigned = user.roles.includes(role);
  if (isAssigned && role === 'admin')
    return isOwn ? (
      escapeHtml(ownAdmin)
    ) : (
      <ConfirmForm
        id="take-admin"
        action={`${userPath(user.id)}/roles/take`}
        values={{ role }}
        open={remove.admin}
        word={confirmationOf(user)}
        warning={isAdminByConfig ? configuredWarning : removeWarning}
        submit={remove.admin}
      />
    );
  if (role === 'admin')
    return (
      <ConfirmForm
        id="give-admin"
        action={`${userPath(user.id)}/roles/give`}
        values={{ role }}
        open={make.admin}
        word={confirmationOf(user)}
        warning={makeWarning}
        submit={make.admin}
      />
    );
  return (
    <ActionButton
      action={`${userPath(user.id)}/roles/${isAssigned ? 'take' : 'give'}`}
      values={{ role }}
      label={isAssigned ? remove[role] : make[role]}
      about={`role-${role}`}
    />
  );
}

function roleColumns(view: UserView, isOwn: boolean): Column<Role>[] {
  const { columns, meanings, yes, no } = page.roles;
  return [
    {
      title: columns.role,
      cell: (role) => (
        <>
          <span id={`role-${role}`} safe>
            {texts.users.roles[role]}
          </span>
          {below(meanings[role])}
        </>
      ),
    },
    {
      title: columns.assigned,
      cell: (role) =>
        view.user.roles.includes(role) ? <Badge text={yes} tone="ok" /> : escapeHtml(no),
    },
    {
      title: texts.actions,
      cell: (role) => roleForm(view, role, isOwn),
      isTitleHidden: true,
    },
  ];
}

const rolesPanel = (view: UserView, isOwn: boolean): Html => (
  <Card id="roles" title={page.roles.title} hint={texts.freshHint}>
    <Table
      caption={page.roles.caption({ name: nameOf(view.user) })}
      columns={roleColumns(view, isOwn)}
      rows={roles}
    />
  </Card>
);

function accountForm(user: ListedUser): Html {
  const place = userPath(user.id);
  const { enable, disable, disableWarning } = page.account;
  return user.disabledAt === null ? (
    <ConfirmForm
      id="disable"
      action={`${place}/disable`}
      open={disable}
      word={confirmationOf(user)}
      warning={disableWarning}
      submit={disable}
    />
  ) : (
    <ActionButton action={`${place}/enable`} label={enable} />
  );
}

const accountPanel = ({ user }: UserView, isOwn: boolean): Html => (
  <Card id="account" title={page.account.title}>
    {isOwn ? (
      <p class="hint" safe>
        {page.account.own}
      </p>
    ) : (
      accountForm(user)
    )}
  </Card>
);

function entriesPanel({ user: { id }, entries, names, actions }: UserView): Html {
  const { title, caption, asTarget, asActor, none } = page.entries;
  const link = (key: string, text: string) =>
    textLink(withQuery(sectionPath('audit'), { [key]: id }), text);
  return (
    <Card
      id="entries"
      title={title}
      actions={[link('target_id', asTarget), link('actor_id', asActor)]}
    >
      <EntryTable
        caption={caption}
        entries={entries}
        names={names}
        actions={actions}
        empty={<EmptyState icon="list" text={none} />}
      />
    </Card>
  );
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
    actions: textLink(sectionPath('users'), page.all),
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
        {factorResetPanel(view, viewer)}
        {entriesPanel(view)}
      </>
    ),
  };
}
