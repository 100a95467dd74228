import { z } from 'zod';
import { emailIdentity, phoneIdentifier } from '../../lib/identifiers.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { parseSignedId, formatSignedId } from '../../lib/secrets/signed-ids.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { Messages } from '../comms/service.ts';
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
  /** Whether e-mail can be sent. */
  isOpen: boolean;
}

const linkHours = 24;
const pauseMs = 10 * minuteMs;
const mostMessages = 3;
const keptDays = 7;

const Task = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ask'),
    sealed: z.string(),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({ kind: z.literal('clean') }),
]);

const text = z.string().nullable();
/** What is sealed: who signs up, and what they say. */
const Asked = z.object({
  email: z.string(),
  name: text,
  company: text,
  phone: text,
  plan: text,
  referralCode: text,
  hasConsented: z.boolean(),
});
type Asked = z.output<typeof Asked>;

/** The job that sends what an address has to be confirmed with. It may be repeated: it sends one message. */
function defineAsking({ store, messages, queues, keys, clock, baseOrigin }: SignupsOptions) {
  const seal = createSeal(keys('signups'));
  const tokenOf = createTokens(keys);

  async function ask({ email, ...details }: Asked, askedAt: number): Promise<void> {
    const before = (ms: number) => new Date(askedAt - ms);
    const id = await store.ask({
      id: uuidv7(askedAt),
      email,
      details,
      askedAt: new Date(askedAt),
      since: before(pauseMs),
      longSince: before(dayMs),
      most: mostMessages,
    });
    if (id === undefined) return;
    const token = tokenOf(id, askedAt);
    await store.setConfirmHash(id, sha256Hex(token.proof));
    const url = new URL(`/signup/confirm?token=${formatSignedId(token)}`, baseOrigin).href;
    // Nothing of what was entered is in it: else anybody could send a text of theirs to anybody.
    await messages.send({
      channel: 'email',
      to: email,
      template: 'signup_confirm',
      params: { url, hours: String(linkHours) },
      key: `signup-confirm:${id}:${askedAt}`,
      expiresAt: askedAt + hourMs,
    });
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
        return store.forgetUnconfirmed(new Date(clock.now() - keptDays * dayMs));
      const opened = seal.open(task.sealed);
      // Another AUTH_SECRET sealed it: no attempt will open it.
      if (opened === undefined)
        throw new PermanentJobError('the signup was sealed with another key');
      return ask(Asked.parse(JSON.parse(opened)), task.askedAt);
    },
  });
  return (asked: Asked) =>
    job.add({ kind: 'ask', sealed: seal.seal(JSON.stringify(asked)), askedAt: clock.now() });
}

const fault = (field: keyof SignupBody, message: string) => valueError(['body', field], message);
const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value;

/**
 * Signing up. Nothing counts before it was confirmed from the mailbox. Whether an address is known is never told: the answer
 * comes before anybody has looked.
 */
export function createSignups(options: SignupsOptions) {
  const { store, clock, isOpen } = options;
  const queueAsking = defineAsking(options);

  async function read(
    {
      email,
      name,
      company,
      phone,
      country,
      plan,
      referral_code: referralCode,
      consent,
    }: SignupBody,
    needsConsent: boolean,
  ): Promise<Asked> {
    const identity = emailIdentity(email);
    const given = orNull(phone);
    const number = given === null ? undefined : await phoneIdentifier(given, country);
    const faults = [
      ...(identity === undefined
        ? [fault('email', 'is no e-mail address. One looks like name@example.com')]
        : []),
      ...(given === null || number?.isRefused === false
        ? []
        : [
            fault(
              'phone',
              'must start with a plus sign and its country code, such as +1 415 555 0132, unless `country` is given',
            ),
          ]),
      ...(needsConsent && consent !== true ? [fault('consent', 'must be given')] : []),
    ];
    if (identity === undefined || faults.length > 0) throw new RequestValidationError(faults);
    return {
      email: identity.key,
      name: orNull(name),
      company: orNull(company),
      phone: number?.key ?? null,
      plan: orNull(plan),
      referralCode: orNull(referralCode),
      hasConsented: consent === true,
    };
  }

  return {
    isOpen,

    /**
     * Sends a message to confirm the address with, unless it has confirmed before or had one in the last ten minutes; after
     * three that nobody followed one a day. With `needsConsent` the terms must be agreed to. Throws `signup.email_not_configured`,
     * a RequestValidationError that names the field, and `request.unavailable` without Redis.
     */
    async ask(body: SignupBody, { needsConsent = false } = {}): Promise<void> {
      if (!isOpen) throw signupErrors.email_not_configured();
      const asked = await read(body, needsConsent);
      // Who fills in what people don't see gets the same answer, and nothing else.
      if (orNull(body.website) === null) await queueAsking(asked);
    },

    /** Confirms whoever got this token in the last 24 hours, once. Throws `signup.link_invalid`. */
    async confirm(token: string): Promise<void> {
      const shown = parseSignedId(token);
      const now = clock.now();
      const isDone =
        shown !== undefined &&
        (await store.confirm({
          id: shown.id,
          hash: sha256Hex(shown.proof),
          since: new Date(now - linkHours * hourMs),
          now: new Date(now),
        }));
      if (!isDone) throw signupErrors.link_invalid();
    },
  };
}

export type Signups = ReturnType<typeof createSignups>;
