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
/** What a code is for. A code works only for the purpose that it was sent for. */
export interface CodeUse {
  purpose: string;
  template: 'sign_in_code' | 'contact_code';
}

const signInUse: CodeUse = { purpose: 'sign_in', template: 'sign_in_code' };
const triggeredAction = { lock: 'otp.locked', closure: 'otp.closed' } as const;

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
  /** 32 bytes, kept outside the store: without them a code's hash can't be brute-forced. */
  pepper: Buffer;
  /** The host that codes are bound to in messages (WebOTP). */
  host: string;
  /** ISO 3166-1 alpha-2 codes of the countries whose numbers get codes; empty for all. */
  countries: ReadonlySet<string>;
}

/** Mail goes to the address as typed: only its host decides whether case matters. */
const addressOf = ({ kind, key, value }: Identifier) => (kind === 'email' ? value : key);
const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

type Refused = Extract<SendDecision, { retryAfterMs: number }>;

function refusal({ outcome, retryAfterMs }: Refused): Error {
  const retryAfter = toSeconds(retryAfterMs);
  const options = {
    headers: { 'retry-after': String(retryAfter) },
    extra: { retry_after: retryAfter },
  };
  if (outcome === 'budget') return otpErrors.budget(options);
  return outcome === 'locked'
    ? codeErrors.too_many_attempts(options)
    : otpErrors.rate_limited(options);
}

/** The HMACs that the store holds instead of identifiers and codes. */
function createCodeHashes(pepper: Buffer) {
  const hash = (text: string) => createHmac('sha256', pepper).update(text).digest('base64url');
  return {
    hash,
    identifierHash: ({ kind, key }: Pick<Identifier, 'kind' | 'key'>) =>
      hash(`identifier ${kind} ${key}`),
    macOf: (
      purpose: string,
      { channel, key }: Identifier,
      verificationId: string,
      code: string,
    ): string => hash(`v1 ${purpose} ${channel} ${verificationId} ${code} ${key}`),
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

/** Closed codes get the same response as locked ones. */
const lockedDecision = ({ limits }: Context) =>
  ({ outcome: 'locked', retryAfterMs: limits.lock.longestLockMs }) as const;

async function sendMessage(
  { messages, limits, clock, host }: Context,
  identifier: Identifier,
  {
    template,
    verificationId,
    code,
  }: Pick<CodeUse, 'template'> & Record<'verificationId' | 'code', string>,
): Promise<void> {
  await messages.send({
    channel: identifier.channel,
    to: addressOf(identifier),
    template,
    params: { code, minutes: String(Math.round(limits.lifetimeMs / 60_000)), host },
    key: verificationId,
    expiresAt: clock.now() + limits.lifetimeMs,
  });
}

async function sendCode(
  context: Context,
  identifier: Identifier,
  requestSource: RequestSource,
  { purpose, template }: CodeUse,
): Promise<SentCode> {
  const { limits, clock, parties, identifierHash, macOf } = context;
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  const verificationId = randomUUID();
  const newCode = {
    identifier: identifierHash(identifier),
    channel: identifier.channel,
    purpose,
    verificationId,
    mac: macOf(purpose, identifier, verificationId, code),
    isMuted: identifier.isRefused || !isAllowed(context, identifier),
  };
  const stored = await parties.put(newCode, identifier, requestSource);
  const decision =
    stored.outcome === 'closed' || stored.outcome === 'reserve' ? lockedDecision(context) : stored;
  const isSent = decision.outcome === 'sent';
  if (isSent) await sendMessage(context, identifier, { template, verificationId, code });
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

interface Entry {
  identifier: Identifier;
  code: string;
  verificationId: string | undefined;
  purpose: string;
}

async function verifyCode(
  context: Context,
  { identifier, code, verificationId, purpose }: Entry,
  requestSource: RequestSource,
): Promise<void> {
  const { parties, identifierHash, macOf } = context;
  const hashed = identifierHash(identifier);
  // A malformed code counts as a wrong one: otherwise it would reveal whether a code is live.
  const macFor = (id: string) => (codeForm.test(code) ? macOf(purpose, identifier, id, code) : '');
  const entered = {
    hashed,
    purpose,
    macFor,
    verificationId: verificationId === '' ? undefined : verificationId,
  };
  const checked = await parties.check(entered, identifier, requestSource);
  const decision = checked.outcome === 'closed' ? lockedDecision(context) : checked;
  if (decision.outcome === 'right') {
    note(context, 'otp.verified', identifier, requestSource);
    return;
  }
  const action =
    decision.outcome === 'wrong' && decision.triggered !== undefined
      ? triggeredAction[decision.triggered]
      : 'otp.failed';
  note(context, action, identifier, requestSource, decision.outcome);
  throw 'retryAfterMs' in decision ? refusal(decision) : codeErrors.invalid();
}

/**
 * One-time codes by SMS and email. Responses reveal neither whether the identifier belongs to a
 * user nor whether a message was sent.
 */
export function createOtp(deps: OtpDeps) {
  const hashes = createCodeHashes(deps.pepper);
  const parties = createParties({ ...deps, hash: hashes.hash });
  const context: Context = { ...deps, ...hashes, parties };

  return {
    /**
     * Sends a code, and invalidates the previous one, also of another use. The default use is
     * signing in. Throws `otp.too_many_attempts`, `otp.rate_limited`, `otp.budget`.
     */
    send: (identifier: Identifier, requestSource: RequestSource, use: CodeUse = signInUse) =>
      sendCode(context, identifier, requestSource, use),

    /**
     * Resolves when the code is right; each code works once. Throws `otp.invalid` for a code that
     * is wrong, expired, used, was never sent or is for another use, and `otp.too_many_attempts`.
     */
    verify: (
      identifier: Identifier,
      code: string,
      verificationId: string | undefined,
      requestSource: RequestSource,
      { purpose }: CodeUse = signInUse,
    ) => verifyCode(context, { identifier, code, verificationId, purpose }, requestSource),

    /** The HMAC by which the audit log names an address or number. */
    hashOf: hashes.identifierHash,

    /**
     * Reopens codes that too many guesses had closed: on request of an admin, or because the user
     * has signed in another way. Returns false when they were open.
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
