import type { z } from 'zod';
import { signupResource } from '../../../../areas/signup/resource.ts';
import type { SignupView } from '../../../../areas/signup/schemas.ts';
import { texts as areaTexts } from '../../../../areas/signup/texts/en.ts';
import { escapeHtml } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { User } from '../../../../areas/identity/users/model.ts';
import { Avatar } from '../../../../platform/ui/components/avatar.tsx';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { entryMenu } from '../../resources/entry-menu.tsx';
import { aboveEntry } from '../../resources/resource-links.ts';
import { nameOf, userLink, userPath } from '../labels.tsx';
import { pictureOf } from '../person.tsx';
import { texts } from '../texts/en.ts';

export interface SignUpPageView {
  signUp: z.output<typeof SignupView>;
  /** The user with this address, if there is one. */
  user: User | undefined;
  /** The name of the plan, or its id where it is no longer offered. */
  plan: string | undefined;
}

const words = texts.signUp;
const { fields, values } = areaTexts.signups;

/** A fact that is left out without a value. */
const textFact = (name: string, value: string | null | undefined): Fact | undefined =>
  value == null || value === '' ? undefined : { name, value: escapeHtml(value) };

/** Who it is, and what was asked for, agreed to and confirmed. */
function signUpFacts({ signUp, user, plan }: SignUpPageView): (Fact | undefined)[] {
  const { confirmed_at: confirmedAt, consent_at: consentAt } = signUp;
  return [
    { name: words.account, value: user ? userLink(user.id, nameOf(user)) : escapeHtml(words.none) },
    textFact(fields.company, signUp.company),
    textFact(fields.phone, signUp.phone),
    {
      name: words.confirmed,
      value: confirmedAt === null ? escapeHtml(words.unconfirmed) : <Time at={confirmedAt} />,
    },
    {
      name: words.consent,
      value:
        consentAt === null
          ? escapeHtml(words.noConsent)
          : rich(words.agreed, { time: () => <Time at={consentAt} /> }),
    },
    textFact(fields.plan, plan),
    textFact(fields.referral_code, signUp.referral_code),
  ];
}

/** A sign-up: who it is, whether the address is confirmed, and the account that came of it. */
export function signUpPage(view: SignUpPageView): ConsolePage {
  const { signUp, user } = view;
  const name = signUp.name ?? signUp.email;
  const state = signUp.confirmed_at === null ? 'unset' : 'set';
  return {
    section: 'users',
    title: name,
    breadcrumbs: aboveEntry(signupResource),
    face: <Avatar name={name} picture={user && pictureOf(user)} size="large" />,
    state: (
      <span class="badges">
        <Badge text={values.confirmed_at[state]} tone={state === 'set' ? 'ok' : 'warn'} />
      </span>
    ),
    lead: (
      <>
        {signUp.name !== null && escapeHtml(`${signUp.email} · `)}
        {rich(words.since, { time: () => <Time at={signUp.created_at} /> })}
      </>
    ),
    actions: (
      <>
        {entryMenu(signupResource, signUp)}
        {user && <Button label={words.viewUser} icon="user" href={userPath(user.id)} />}
      </>
    ),
    body: (
      <Card id="sign-up" title={words.title}>
        <Facts facts={signUpFacts(view)} />
      </Card>
    ),
  };
}
