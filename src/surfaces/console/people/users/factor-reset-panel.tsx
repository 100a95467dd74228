import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { User } from '../../../../areas/identity/users/model.ts';
import type { FactorReset } from '../../../../areas/identity/resets/store.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { TextField } from '../../../../platform/ui/components/form.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton, WordForm } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import type { ConsolePage } from '../../layout.tsx';
import type { Viewer } from '../../viewer.ts';
import { confirmationOf, nameOf, userLink, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { userFormPage } from './user-form-page.tsx';
import type { UserNames } from '../user-names.ts';
import type { UserView } from './user-view.ts';

const words = texts.user.reset;

const tones: Readonly<Record<FactorReset['state'], Tone>> = {
  requested: 'warn',
  approved: 'warn',
  completing: 'warn',
  completed: 'ok',
  canceled: 'neutral',
  expired: 'neutral',
};

/** True until it has taken effect or has ended otherwise. */
export const isOpen = ({ state }: Pick<FactorReset, 'state'>): boolean =>
  state === 'requested' || state === 'approved' || state === 'completing';

/** Somebody and when. A person whose account is deleted has no name. */
const byAt = (id: string | null, at: Date, names: UserNames): Html => {
  const name = id === null ? undefined : names.get(id);
  return (
    <>
      {id !== null && name !== undefined ? userLink(id, name) : escapeHtml(words.unknown)}
      {', '}
      <Time at={at} />
    </>
  );
};

function endFact({ state, changed_at: at, cancel_reason: reason }: FactorReset): Fact | undefined {
  if (state !== 'canceled') return { name: words.ended, value: <Time at={at} /> };
  const causes: Readonly<Partial<Record<string, string>>> = words.causes;
  return {
    name: words.canceled,
    value: (
      <>
        {escapeHtml(causes[reason ?? ''] ?? words.unknown)}
        {', '}
        <Time at={at} />
      </>
    ),
  };
}

function resetFacts(reset: FactorReset, names: UserNames): (Fact | undefined)[] {
  const { approved_at: approvedAt, due_at: dueAt } = reset;
  return [
    {
      name: words.state,
      value: <Badge text={words.states[reset.state]} tone={tones[reset.state]} />,
    },
    { name: words.requestedBy, value: byAt(reset.requested_by, reset.requested_at, names) },
    { name: words.reason, value: escapeHtml(reset.reason) },
    approvedAt === null
      ? undefined
      : { name: words.approvedBy, value: byAt(reset.approved_by, approvedAt, names) },
    reset.state === 'requested'
      ? { name: words.expires, value: <Time at={reset.expires_at} /> }
      : undefined,
    reset.state === 'approved' && dueAt !== null
      ? { name: words.takesEffect, value: <Time at={dueAt} /> }
      : undefined,
    isOpen(reset) ? undefined : endFact(reset),
  ];
}

const place = (user: Pick<User, 'id'>): string => `${userPath(user.id)}/factor-reset`;

/** The form with which one admin requests a reset, and says why. */
export const requestResetPage = (user: User): ConsolePage =>
  userFormPage(
    user,
    words.requestTitle({ name: nameOf(user) }),
    <WordForm
      id="reset-confirm"
      action={`${place(user)}/request`}
      word={confirmationOf(user)}
      warning={words.requestWarning}
      submit={words.request}
      cancel={userPath(user.id)}
    >
      <TextField
        id="reset-reason"
        name="reason"
        label={words.reason}
        hint={words.reasonHint}
        rows={3}
        maxLength={500}
        isRequired
      />
    </WordForm>,
  );

/** The form with which another admin approves it. */
export const approveResetPage = (user: User, reset: Pick<FactorReset, 'id'>): ConsolePage =>
  userFormPage(
    user,
    words.approveTitle({ name: nameOf(user) }),
    <WordForm
      id="reset-approve"
      action={`${place(user)}/approve`}
      values={{ reset: reset.id }}
      word={confirmationOf(user)}
      warning={words.approveWarning}
      submit={words.approve}
      cancel={userPath(user.id)}
    />,
  );

function openForms({ user }: UserView, reset: FactorReset, viewer: Viewer): Html {
  if (reset.state === 'completing') return <p safe>{words.completing}</p>;
  const isRequester = reset.requested_by === viewer.userId;
  return (
    <>
      {reset.state === 'requested' && isRequester && <p safe>{words.otherApproves}</p>}
      <div class="btn-row">
        {reset.state === 'requested' && !isRequester && (
          <DrawerLink label={words.approve} kind="primary" href={`${place(user)}/approve`} />
        )}
        <ActionButton action={`${place(user)}/cancel`} label={words.cancel} size="medium" />
      </div>
    </>
  );
}

/**
 * The 2FA reset of a user: its state, and what the viewer can do about it. Undefined for a person
 * without a second factor, of whom there is nothing to reset.
 */
export function factorResetPanel(view: UserView, viewer: Viewer): Html | undefined {
  const { reset, user, names, factor } = view;
  if (reset === undefined && !factor.isEnabled) return undefined;
  const isOwn = user.id === viewer.userId;
  const open = reset !== undefined && isOpen(reset) ? reset : undefined;
  return (
    <Card id="factor-reset" title={words.title} hint={isOwn ? words.own : words.hint}>
      {reset !== undefined && <Facts facts={resetFacts(reset, names)} />}
      {!isOwn &&
        (open === undefined
          ? factor.isEnabled && <DrawerLink label={words.request} href={`${place(user)}/request`} />
          : openForms(view, open, viewer))}
    </Card>
  );
}

export interface OpenReset {
  userId: string;
  name: string;
}

/** Names the users whose 2FA is about to be reset. */
export function openResetsNotice(resets: readonly OpenReset[]): Html | undefined {
  if (resets.length === 0) return undefined;
  const people = () => (
    <>
      {resets.map(({ userId, name }, index) => (
        <>
          {index > 0 && ', '}
          {userLink(`${userId}#factor-reset`, name)}
        </>
      ))}
    </>
  );
  return <Banner text={words.title} content={rich(words.open, { people })} tone="warn" />;
}
