import { escapeHtml, type Content, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { Role } from '../../../../lib/access.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { SecondFactorStatus } from '../../../../areas/identity/factors/service.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { readable, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import type { Viewer } from '../../viewer.ts';
import { factorResetPanel } from './factor-reset-panel.tsx';
import { userFrame } from './user-frame.tsx';
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

/** How the person signs in, and what is known of the account. */
function aboutPanel({ user, factor, plan }: UserView): Html {
  const { about } = page;
  const ways = user.identities.map(({ kind, value }) => ({
    name: page.signIn[kind],
    value: escapeHtml(kind === 'idp' ? value.replace(' ', ': ') : value),
  }));
  return (
    <Card id="about" title={page.signIn.title}>
      <Facts
        facts={[
          ...ways,
          ...factorFacts(factor),
          { name: about.created, value: <Time at={user.createdAt} /> },
          user.disabledAt === null
            ? undefined
            : { name: about.disabledSince, value: <Time at={user.disabledAt} /> },
          ...planFacts(plan),
        ]}
      />
      <Disclosure summary={about.id}>
        <Copy label={about.id} text={user.id} />
      </Disclosure>
    </Card>
  );
}

/** A role that the person may have, with the way to give it or to remove it. */
function roleRow({ user }: UserView, role: Role, isOwn: boolean): Html {
  const { make, remove, meanings, ownAdmin } = page.roles;
  const isGiven = user.roles.includes(role);
  const isFixed = isOwn && role === 'admin';
  return (
    <li>
      <div>
        <strong>{escapeHtml(texts.users.roles[role])}</strong>{' '}
        {isGiven && <Badge text={page.roles.given} tone="ok" />}
        <span class="hint" id={`role-${role}`} safe>
          {isFixed ? ownAdmin : meanings[role]}
        </span>
      </div>
      {!isFixed && (
        <DrawerLink
          label={isGiven ? remove[role] : make[role]}
          size="small"
          href={`${userPath(user.id)}/roles/${role}`}
          about={`role-${role}`}
        />
      )}
    </li>
  );
}

function accountRow({ id, disabledAt }: ListedUser): Html {
  const { suspended, suspendedHint, active, activeHint } = page.account;
  const isActive = disabledAt === null;
  return (
    <li>
      <div>
        <strong>{escapeHtml(isActive ? active : suspended)}</strong>
        <span class="hint" safe>
          {isActive ? activeHint : suspendedHint}
        </span>
      </div>
      {isActive ? (
        <DrawerLink label={page.menu.suspend} size="small" href={`${userPath(id)}/suspend`} />
      ) : (
        <ActionButton action={`${userPath(id)}/enable`} label={page.menu.resume} />
      )}
    </li>
  );
}

/** What the person may do here: roles, and whether the account is usable. */
const accessPanel = (view: UserView, isOwn: boolean): Html => (
  <Card id="access" title={page.roles.title}>
    <ul class="option-rows">
      {roleRow(view, 'admin', isOwn)}
      {!view.user.roles.includes('admin') && roleRow(view, 'viewer', isOwn)}
      {isOwn ? undefined : accountRow(view.user)}
    </ul>
  </Card>
);

export interface UserPageState {
  /** Key of the notice. */
  done?: string | undefined;
  /** The device that the notice is about. */
  about?: string | undefined;
}

/** The page of a user: who it is, and what the person may do. */
export function userPage(view: UserView, viewer: Viewer, state: UserPageState): ConsolePage {
  const isOwn = view.user.id === viewer.userId;
  const body: Content = (
    <>
      <div class="columns">
        {aboutPanel(view)}
        <div>
          {accessPanel(view, isOwn)}
          {factorResetPanel(view, viewer)}
        </div>
      </div>
    </>
  );
  return userFrame(view, 'overview', { isOwn, notice: userNotice(view, isOwn, state), body });
}
