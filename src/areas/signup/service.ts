import { z } from 'zod';
import { emailIdentity, phoneIdentifier } from '../../lib/identifiers.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { parseSignedId, formatSignedId } from '../../lib/secrets/signed-ids.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { siteNetwork } from '../../lib/net/ip.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { defineSealedJob } from '../../platform/queues/sealed-job.ts';
import type { Resources } from '../../platform/resources.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../platform/validation/validation-error.ts';
import type { Comms } from '../comms/compose.ts';
import type { People } from '../identity/users/compose.ts';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
import type { WaitlistAccess } from '../waitlist/access.ts';
import type { JoinJob } from '../waitlist/jobs.ts';
import { signupErrors } from './errors.ts';
import type { SignupBody } from './schemas.ts';
import { countSignups, createSignupStore } from './store.ts';
import { createTokens } from './tokens.ts';

/** What sign-ups need of other areas. */
export interface SignupNeeds
  extends Pick<Comms, 'messages' | 'channels'>, Pick<People, 'signUpPolicy'> {
  plans: PlanCatalog;
  waitlistAccess: WaitlistAccess;
  joinWaitlist: JoinJob['join'];
}

const linkHours = 24;
const pauseMs = 10 * minuteMs;
const maxMessages = 3;
const retentionDays = 7;

const text = z.string().nullable();
/** The sealed part of a job: the entered details. */
const Application = z.object({
  email: z.string(),
  name: text,
  company: text,
  phone: text,
  plan: text,
  referralCode: text,
  hasConsented: z.boolean(),
  network: text.describe('The network of the client.'),
});
type Application = z.output<typeof Application>;

/** Puts a person on the waitlist instead, with what they entered. */
const toWaitlist = ({ email, name, referralCode, network, company, phone, plan }: Application) => ({
  email,
  name,
  metadata: Object.fromEntries(
    Object.entries({ company, phone, plan }).filter(([, value]) => value !== null),
  ),
  referralCode,
  network,
  source: 'signup' as const,
});

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value;

/** `address`: the client's IP address. Throws a RequestValidationError for invalid fields. */
async function readApplication(
  body: SignupBody,
  {
    plans,
    needsConsent,
    address,
  }: { plans: PlanCatalog; needsConsent: boolean; address: string | undefined },
): Promise<Application> {
  const errors: ValidationDetail[] = [];
  const refuse = (field: keyof SignupBody, message: string) =>
    errors.push(valueError(['body', field], message));

  const identity = emailIdentity(body.email);
  if (identity === undefined) refuse('email', 'must be an email address, such as name@example.com');
  const phone = orNull(body.phone);
  const number = phone === null ? undefined : await phoneIdentifier(phone, body.country);
  if (phone !== null && number?.isRefused !== false)
    refuse(
      'phone',
      'must start with a plus sign and its country code, such as +1 415 555 0132, ' +
        'unless `country` is given',
    );
  const plan = orNull(body.plan);
  if (plan !== null && plans.nameOf(plan) === undefined)
    refuse('plan', `must be the id of a plan: ${plans.ids.join(', ')}`);
  const hasConsented = body.consent === true;
  if (needsConsent && !hasConsented) refuse('consent', 'must be given');
  if (identity === undefined || errors.length > 0) throw new RequestValidationError(errors);
  return {
    email: identity.key,
    name: orNull(body.name),
    company: orNull(body.company),
    phone: number?.key ?? null,
    plan,
    referralCode: orNull(body.referral_code),
    hasConsented,
    network: siteNetwork(address) ?? null,
  };
}

/**
 * Signing up. A signup takes effect once it is confirmed from the mailbox. Responses never reveal
 * whether an address is known, because they are sent before it is looked up. With WAITLIST=on,
 * people join the waitlist first.
 */
export function createSignups(
  resources: Resources,
  { messages, channels, signUpPolicy, plans, waitlistAccess, joinWaitlist }: SignupNeeds,
) {
  const { config, clock, db, keys, baseOrigin } = resources;
  const store = createSignupStore(db);
  const tokenOf = createTokens(keys);
  const isWaitlist = config.WAITLIST;
  const hasSignUp = () => signUpPolicy.hasSignUp() || isWaitlist;
  const queue = defineSealedJob(resources, {
    name: 'signups',
    purpose: 'signups',
    schema: Application,
    process: accept,
    clean: () => store.deleteUnconfirmed(new Date(clock.now() - retentionDays * dayMs)),
  });

  return {
    /** Whether people can sign up, and email can be sent. */
    isOpen: () => channels.email && hasSignUp(),
    /** Whether people go to the waitlist first. */
    isWaitlist,
    /** Whether sign-up is closed by SIGN_UP: only invitations create accounts. */
    isByInvitation: () => !hasSignUp(),
    request,
    confirm,
    /** How many sign-ups there are, confirmed or not. */
    count: (): Promise<number> => countSignups(db),
  };

  /**
   * Sends a link that confirms the address, unless it is confirmed or got a link in the last ten
   * minutes; after three unused links, one per day. With `needsConsent` the terms must be
   * accepted. While there is a waitlist, people who were not approved get its link instead, and
   * consent is needed always. `address` is the client's IP address. Throws
   * `signup.email_not_configured`, `users.sign_up_closed`, a RequestValidationError that names
   * the field, and `request.unavailable` without Redis.
   */
  async function request(
    body: SignupBody,
    { needsConsent = false, address }: { needsConsent?: boolean; address?: string } = {},
  ): Promise<void> {
    if (!channels.email && hasSignUp()) throw signupErrors.email_not_configured();
    const application = await readApplication(body, {
      plans,
      needsConsent: needsConsent || isWaitlist,
      address,
    });
    // With a waitlist, approval decides, after the response.
    if (!isWaitlist) signUpPolicy.requireSignUp({ key: application.email });
    // A bot that fills in the hidden field gets the same response, but no message.
    if (orNull(body.website) === null) await queue(application);
  }

  /** Confirms a signup by a token, valid once for 24 hours. Throws `signup.link_invalid`. */
  async function confirm(token: string): Promise<void> {
    const signedId = parseSignedId(token);
    const now = clock.now();
    const isConfirmed =
      signedId !== undefined &&
      (await store.confirm({
        id: signedId.id,
        hash: sha256Hex(signedId.proof),
        since: new Date(now - linkHours * hourMs),
        now: new Date(now),
      }));
    if (!isConfirmed) throw signupErrors.link_invalid();
  }

  async function accept(application: Application, askedAt: number): Promise<void> {
    if (!isWaitlist || (await waitlistAccess.isApproved(application.email)))
      await sendLink(application, askedAt);
    else await joinWaitlist(toWaitlist(application), askedAt);
  }

  /** Sends the confirmation link. Repeating the call sends no second one. */
  async function sendLink(application: Application, askedAt: number): Promise<void> {
    const { email } = application;
    const before = (ms: number) => new Date(askedAt - ms);
    const id = await store.request({
      id: uuidv7(askedAt),
      email,
      details: application,
      askedAt: new Date(askedAt),
      since: before(pauseMs),
      longSince: before(dayMs),
      max: maxMessages,
    });
    if (id === undefined) return;
    const token = tokenOf(id, askedAt);
    await store.setConfirmHash(id, sha256Hex(token.proof));
    const url = new URL(`/signup/confirm?token=${formatSignedId(token)}`, baseOrigin).href;
    // Contains no entered text, so that the form can't be used to send messages to others.
    await messages.send({
      channel: 'email',
      to: email,
      template: 'signup_confirm',
      params: { url, hours: String(linkHours) },
      key: `signup-confirm:${id}:${askedAt}`,
      expiresAt: askedAt + hourMs,
    });
  }
}

export type Signups = ReturnType<typeof createSignups>;
