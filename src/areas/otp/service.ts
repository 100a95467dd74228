import { createHmac, randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { codeErrors } from '../../platform/identity/code-errors.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import type { Audit, AuditEntry } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import type { OtpLimits, SendDecision } from './code-store.ts';
import { otpErrors } from './errors.ts';
import { type Identifier, mask } from '../../lib/identifiers.ts';
import { createParties, type Parties, type PartiesDeps } from './parties.ts';

const digits = 6;
const codeForm = /^[0-9]{6}$/;
const purpose = 'sign_in';
const began = { lock: 'otp.locked', closure: 'otp.closed' } as const;

export interface SentCode {
  verificationId: string;
  /** Masked. */
  to: string;
  channel: 'sms' | 'email';
  expiresAt: number;
  expiresIn: number;
  /** Seconds. */
  resendAfter: number;
  codeLength: number;
  maxAttempts: number;
}

export interface OtpDeps extends Omit<PartiesDeps, 'hash'> {
  messages: Pick<Messages, 'send'>;
  audit: Pick<Audit, 'note' | 'record'>;
  clock: Clock;
  limits: OtpLimits;
  /** 32 bytes that are not in the store: without them a code's hash can't be tried out. */
  pepper: Buffer;
  /** The host that codes are for, as browsers compare it (WebOTP). */
  host: string;
  /** ISO 3166-1 alpha-2 codes of the countries whose numbers get codes; empty: all. */
  countries: ReadonlySet<string>;
}

/** Mail goes to the address as it was typed: only its host may say that capitals don't matter. */
const addressOf = ({ kind, key, value }: Identifier) => (kind === 'email' ? value : key);
const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

type Refused = Extract<SendDecision, { retryAfterMs: number }>;

function refusal({ outcome, retryAfterMs }: Refused): Error {
  const retryAfter = seconds(retryAfterMs);
  const options = {
    headers: { 'retry-after': String(retryAfter) },
    extra: { retry_after: retryAfter },
  };
  if (outcome === 'budget') return otpErrors.budget(options);
  return outcome === 'locked'
    ? codeErrors.too_many_attempts(options)
    : otpErrors.rate_limited(options);
}

/** What the store knows of identifiers and codes instead of them. */
function createCodeHashes(pepper: Buffer) {
  const hash = (text: string) => createHmac('sha256', pepper).update(text).digest('base64url');
  return {
    hash,
    identifierHash: ({ kind, key }: Pick<Identifier, 'kind' | 'key'>) =>
      hash(`identifier ${kind} ${key}`),
    macOf: ({ channel, key }: Identifier, verificationId: string, code: string) =>
      hash(`v1 ${purpose} ${channel} ${verificationId} ${code} ${key}`),
  };
}

type Context = OtpDeps & ReturnType<typeof createCodeHashes> & { parties: Parties };

type CodeAction =
  'otp.sent' | 'otp.refused' | 'otp.verified' | 'otp.failed' | 'otp.locked' | 'otp.closed';
function note(
  { audit, identifierHash }: Context,
  action: CodeAction,
  identifier: Identifier,
  { address, requestId }: RequestSource,
  reason?: string,
): void {
  const { channel, country } = identifier;
  audit.note({
    action,
    outcome: action === 'otp.sent' || action === 'otp.verified' ? 'success' : 'failure',
    reason,
    actor: { kind: 'anonymous' },
    target: { kind: 'identifier', id: identifierHash(identifier) },
    address,
    requestId,
    details: { channel, ...(country === undefined ? {} : { country }) },
  });
}

const isAllowed = ({ countries }: Context, { kind, country }: Identifier) =>
  kind === 'email' || countries.size === 0 || countries.has(country ?? '');

/** Whose codes are closed is told what those who are locked out are told. */
const closed = ({ limits }: Context) =>
  ({ outcome: 'locked', retryAfterMs: limits.lock.longestLockMs }) as const;

async function sendMessage(
  { messages, limits, clock, host }: Context,
  identifier: Identifier,
  verificationId: string,
  code: string,
): Promise<void> {
  await messages.send({
    channel: identifier.channel,
    to: addressOf(identifier),
    template: 'sign_in_code',
    params: { code, minutes: String(Math.round(limits.lifetimeMs / 60_000)), host },
    key: verificationId,
    expiresAt: clock.now() + limits.lifetimeMs,
  });
}

async function sendCode(
  context: Context,
  identifier: Identifier,
  requestSource: RequestSource,
): Promise<SentCode> {
  const { limits, clock, parties, identifierHash, macOf } = context;
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  const verificationId = randomUUID();
  const newCode = {
    identifier: identifierHash(identifier),
    channel: identifier.channel,
    purpose,
    verificationId,
    mac: macOf(identifier, verificationId, code),
    isMuted: identifier.isRefused || !isAllowed(context, identifier),
  };
  const stored = await parties.put(newCode, identifier, requestSource);
  const decision =
    stored.outcome === 'closed' || stored.outcome === 'reserve' ? closed(context) : stored;
  const isSent = decision.outcome === 'sent';
  if (isSent) await sendMessage(context, identifier, verificationId, code);
  if (isSent) note(context, 'otp.sent', identifier, requestSource);
  else note(context, 'otp.refused', identifier, requestSource, decision.outcome);
  if ('retryAfterMs' in decision) throw refusal(decision);
  return {
    verificationId,
    to: mask(identifier),
    channel: identifier.channel,
    codeLength: digits,
    maxAttempts: limits.attempts,
    expiresIn: limits.lifetimeMs / 1000,
    expiresAt: clock.now() + limits.lifetimeMs,
    resendAfter: decision.sends > 1 ? 60 : 30,
  };
}

async function verifyCode(
  context: Context,
  identifier: Identifier,
  code: string,
  given: string | undefined,
  requestSource: RequestSource,
): Promise<void> {
  const { parties, identifierHash, macOf } = context;
  const hashed = identifierHash(identifier);
  // A code of another form is wrong too, and counts: else it would tell that a code is looked for.
  const macFor = (id: string) => (codeForm.test(code) ? macOf(identifier, id, code) : '');
  const entered = { hashed, purpose, macFor, given: given === '' ? undefined : given };
  const tried = await parties.check(entered, identifier, requestSource);
  const decision = tried.outcome === 'closed' ? closed(context) : tried;
  if (decision.outcome === 'right') {
    note(context, 'otp.verified', identifier, requestSource);
    return;
  }
  const action =
    decision.outcome === 'wrong' && decision.began !== undefined
      ? began[decision.began]
      : 'otp.failed';
  note(context, action, identifier, requestSource, decision.outcome);
  throw 'retryAfterMs' in decision ? refusal(decision) : codeErrors.invalid();
}

/**
 * One-time codes by SMS and e-mail. Answers reveal neither whether anybody is known by the
 * identifier nor whether something was sent.
 */
export function createOtp(deps: OtpDeps) {
  const hashes = createCodeHashes(deps.pepper);
  const parties = createParties({ ...deps, hash: hashes.hash });
  const context: Context = { ...deps, ...hashes, parties };

  return {
    /**
     * Sends a code, and makes the one before worthless. Throws `otp.too_many_attempts`,
     * `otp.rate_limited`, `otp.budget`.
     */
    send: (identifier: Identifier, requestSource: RequestSource) =>
      sendCode(context, identifier, requestSource),

    /**
     * Resolves when the code is right; it is worthless from then on. Throws `otp.invalid` for one
     * that is wrong, expired, used or was never sent, and `otp.too_many_attempts`.
     */
    verify: (
      identifier: Identifier,
      code: string,
      given: string | undefined,
      requestSource: RequestSource,
    ) => verifyCode(context, identifier, code, given, requestSource),

    /**
     * Reopens codes that too many guesses had closed: an admin has decided so, or the person has
     * come in another way. False when they were open.
     */
    async reopen(
      identifier: Pick<Identifier, 'kind' | 'key'>,
      actor: AuditEntry['actor'],
      { address, requestId }: RequestSource,
    ): Promise<boolean> {
      const id = hashes.identifierHash(identifier);
      const isReopened = await deps.codes.reopen(id);
      const target = { kind: 'identifier', id };
      if (isReopened)
        await deps.audit.record({ action: 'otp.reopened', actor, target, address, requestId });
      return isReopened;
    },
  };
}

export type Otp = ReturnType<typeof createOtp>;
