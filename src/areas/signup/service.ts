import { z } from 'zod';
import { emailIdentity, phoneIdentifier } from '../../lib/identifiers.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { parseSignedId, formatSignedId } from '../../lib/secrets/signed-ids.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { siteNetwork } from '../../lib/net/ip.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../platform/validation/validation-error.ts';
import type { Messages } from '../comms/service.ts';
import type { SignUpPolicy } from '../identity/users/policies/sign-up.ts';
import type { Admission } from '../waitlist/admission.ts';
import type { JoinJob } from '../waitlist/jobs.ts';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
import { signupErrors } from './errors.ts';
import type { SignupBody } from './schemas.ts';
import type { SignupStore } from './store.ts';
import { createTokens } from './tokens.ts';

export interface SignupsOptions {
  store: SignupStore;
  messages: Pick<Messages, 'send'>;
  queues: Queues;
  keys: Keys;
  clock: Clock;
  /** The public origin of the service. */
  baseOrigin: string;
  plans: Pick<PlanCatalog, 'ids' | 'nameOf'>;
  /** Whether people can sign up, and email can be sent. */
  isOpen: boolean;
  signUpPolicy: Pick<SignUpPolicy, 'hasSignUp' | 'requireSignUp'>;
  /** Where people go who may not enter yet; undefined if everybody may. */
  waitlist: (Pick<Admission, 'mayEnter'> & { askToJoin: JoinJob['ask'] }) | undefined;
}

const linkHours = 24;
const pauseMs = 10 * minuteMs;
const maxMessages = 3;
const retentionDays = 7;

const Task = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ask'),
    sealed: z.string(),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({ kind: z.literal('clean') }),
]);

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

/** Creates the function that sends the confirmation link. It is idempotent. */
function createLinkSending({ store, messages, keys, baseOrigin }: SignupsOptions) {
  const tokenOf = createTokens(keys);

  return async (application: Application, askedAt: number): Promise<void> => {
    const { email, name, company, phone, plan, referralCode, hasConsented } = application;
    const details = { name, company, phone, plan, referralCode, hasConsented };
    const before = (ms: number) => new Date(askedAt - ms);
    const id = await store.request({
      id: uuidv7(askedAt),
      email,
      details,
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
  };
}

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

/** Defines the job for signups, and returns the function that queues one. */
function defineJob(options: SignupsOptions) {
  const { store, queues, keys, clock, waitlist } = options;
  const seal = createSeal(keys('signups'));
  const sendLink = createLinkSending(options);

  async function take(application: Application, askedAt: number): Promise<void> {
    if (waitlist === undefined || (await waitlist.mayEnter(application.email)))
      await sendLink(application, askedAt);
    else await waitlist.askToJoin(toWaitlist(application), askedAt);
  }

  const job = queues.defineJob({
    name: 'signups',
    schema: Task,
    options: {
      attempts: 4,
      concurrency: 4,
      keepDone: false,
      every: { ms: dayMs, payload: { kind: 'clean' } },
    },
    async process(task) {
      if (task.kind === 'clean')
        return store.deleteUnconfirmed(new Date(clock.now() - retentionDays * dayMs));
      const opened = seal.open(task.sealed);
      // Sealed with another AUTH_SECRET: no retry can open it.
      if (opened === undefined)
        throw new PermanentJobError('the signup was sealed with another key');
      return take(Application.parse(JSON.parse(opened)), task.askedAt);
    },
  });
  return (application: Application) =>
    job.add({ kind: 'ask', sealed: seal.seal(JSON.stringify(application)), askedAt: clock.now() });
}

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value;

interface Rules {
  plans: SignupsOptions['plans'];
  needsConsent: boolean;
  /** The client's IP address. */
  address: string | undefined;
}

/** Throws a RequestValidationError that names the invalid fields. */
async function readApplication(
  body: SignupBody,
  { plans, needsConsent, address }: Rules,
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
 * whether an address is known, because they are sent before it is looked up.
 */
export function createSignups(options: SignupsOptions) {
  const { store, plans, clock, isOpen, signUpPolicy, waitlist } = options;
  const queue = defineJob(options);
  const isWaitlist = waitlist !== undefined;

  return {
    isOpen,

    /** Whether people go to the waitlist first. */
    isWaitlist,

    /** Whether sign-up is closed by SIGN_UP: only invitations create accounts. */
    isByInvitation: !signUpPolicy.hasSignUp && !isWaitlist,

    /**
     * Sends a link that confirms the address, unless it is confirmed or got a link in the last ten
     * minutes; after three unused links, one per day. With `needsConsent` the terms must be
     * accepted. While there is a waitlist, people who were not approved get its link instead, and
     * consent is needed always. `address` is the client's IP address. Throws
     * `signup.email_not_configured`, `users.sign_up_closed`, a RequestValidationError that names
     * the field, and `request.unavailable` without Redis.
     */
    async request(
      body: SignupBody,
      { needsConsent: isForm = false, address }: { needsConsent?: boolean; address?: string } = {},
    ): Promise<void> {
      if (!isOpen && (signUpPolicy.hasSignUp || isWaitlist))
        throw signupErrors.email_not_configured();
      const needsConsent = isForm || isWaitlist;
      const application = await readApplication(body, { plans, needsConsent, address });
      // With a waitlist, approval decides, after the answer.
      if (!isWaitlist) signUpPolicy.requireSignUp({ key: application.email });
      // A bot that fills in the hidden field gets the same response, but no message.
      if (orNull(body.website) === null) await queue(application);
    },

    /** Confirms a signup by a token, valid once for 24 hours. Throws `signup.link_invalid`. */
    async confirm(token: string): Promise<void> {
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
    },
  };
}

export type Signups = ReturnType<typeof createSignups>;
