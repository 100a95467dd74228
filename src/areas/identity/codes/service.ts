import { createHmac, randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { codeErrors } from '../../../platform/identity/code-errors.ts';
import { readOneTimeCode } from '../../../platform/identity/entered-codes.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { Audit, AuditEntry } from '../../audit/service.ts';
import type { ReviewAccount } from '../users/policies/review-account.ts';
import type { OtpLimits, SendDecision } from './store.ts';
import { otpErrors } from './errors.ts';
import { type Identifier, mask } from '../../../lib/identifiers.ts';
import { createParties, type Parties, type PartiesDeps } from './parties.ts';
import type { CodeMessage, SendCode } from './sending.ts';

const digits = 6;
/** What a code is for. A code works only for the purpose that it was sent for. */
export interface CodeUse {
  purpose: string;
  template: 'sign_in_code' | 'contact_code';
  /**
   * The user who asks, when the address or number may be somebody else's: codes, attempts and locks
   * count for this user then, and leave those of the owner alone.
   */
  asker?: string;
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
  /** Creates the function that sends codes; `note` records what became of each. */
  createSending: (note: (message: CodeMessage, withheld: string | undefined) => void) => SendCode;
  review: Pick<ReviewAccount, 'is' | 'codeOf' | 'codeLength'>;
  audit: Pick<Audit, 'note' | 'record'>;
  clock: Clock;
  limits: OtpLimits;
  /** 32 bytes, kept outside the store: without them a code's hash can't be brute-forced. */
  pepper: Buffer;
  /** ISO 3166-1 alpha-2 codes of the countries whose numbers get codes; empty for all. */
  countries: ReadonlySet<string>;
}

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

type Hashes = ReturnType<typeof createCodeHashes>;
type Context = OtpDeps & Hashes & { parties: Parties; deliver: SendCode };

type CodeAction =
  | 'otp.sent'
  | 'otp.refused'
  | 'otp.verified'
  | 'otp.failed'
  | 'otp.locked'
  | 'otp.closed'
  | 'review_account.used';
const successes: readonly CodeAction[] = ['otp.sent', 'otp.verified', 'review_account.used'];

function note(
  { audit, identifierHash }: Pick<Context, 'audit' | 'identifierHash'>,
  action: CodeAction,
  identifier: Identifier,
  { address, requestId }: RequestSource,
  reason?: string,
): void {
  const { channel, country } = identifier;
  audit.note({
    action,
    outcome: successes.includes(action) ? 'success' : 'failure',
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

/** Why a code is not sent, though the response is the same; undefined if it is sent. */
function withheldFor(
  { review }: Context,
  identifier: Identifier,
  outcome: SendDecision['outcome'],
): string | undefined {
  if (review.is(identifier)) return 'review_account';
  return outcome === 'sent' ? undefined : outcome;
}

async function sendCode(
  context: Context,
  identifier: Identifier,
  requestSource: RequestSource,
  { purpose, template, asker }: CodeUse,
): Promise<SentCode> {
  const { limits, clock, parties, identifierHash, macOf, review } = context;
  const random = String(randomInt(10 ** digits)).padStart(digits, '0');
  // The fixed code only signs in: it must not add the address to another account.
  const fixed = purpose === signInUse.purpose ? review.codeOf(identifier) : undefined;
  const code = fixed ?? random;
  const verificationId = randomUUID();
  const newCode = {
    identifier: identifierHash(identifier),
    channel: identifier.channel,
    purpose,
    verificationId,
    mac: macOf(purpose, identifier, verificationId, code),
    isMuted: identifier.isRefused || !isAllowed(context, identifier),
  };
  const stored = await parties.put(newCode, identifier, requestSource, asker);
  const decision =
    stored.outcome === 'closed' || stored.outcome === 'reserve' ? lockedDecision(context) : stored;
  if ('retryAfterMs' in decision) {
    note(context, 'otp.refused', identifier, requestSource, decision.outcome);
    throw refusal(decision);
  }
  const expiresAt = clock.now() + limits.lifetimeMs;
  const { address, requestId } = requestSource;
  await context.deliver({
    identifier,
    verificationId,
    code,
    template,
    expiresAt,
    withheld: withheldFor(context, identifier, decision.outcome),
    source: { address, requestId },
  });
  return {
    verificationId,
    to: mask(identifier),
    channel: identifier.channel,
    codeLength: digits,
    maxAttempts: limits.attempts,
    expiresIn: limits.lifetimeMs / 1000,
    expiresAt,
    resendAfter: decision.sends > 1 ? 60 : 30,
  };
}

interface Entry {
  identifier: Identifier;
  code: string;
  verificationId: string | undefined;
  use: CodeUse;
}

async function verifyCode(
  context: Context,
  { identifier, code: entered, verificationId, use: { purpose, asker } }: Entry,
  requestSource: RequestSource,
): Promise<void> {
  const { parties, identifierHash, macOf, review } = context;
  const code = readOneTimeCode(entered, review.codeLength);
  const hashed = identifierHash(identifier);
  // The length of the review account's code is a wrong code for everybody else.
  const isForm = review.is(identifier)
    ? code === review.codeOf(identifier)
    : code.length === digits;
  const macFor = (id: string) => (isForm ? macOf(purpose, identifier, id, code) : '');
  const entry = {
    hashed,
    purpose,
    macFor,
    verificationId: verificationId === '' ? undefined : verificationId,
  };
  const checked = await parties.check(entry, identifier, requestSource, asker);
  const decision = checked.outcome === 'closed' ? lockedDecision(context) : checked;
  if (decision.outcome === 'right') {
    note(context, 'otp.verified', identifier, requestSource);
    if (review.is(identifier)) note(context, 'review_account.used', identifier, requestSource);
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
  const deliver = deps.createSending(({ identifier, source }, withheld) =>
    withheld === undefined
      ? note({ ...deps, ...hashes }, 'otp.sent', identifier, source)
      : note({ ...deps, ...hashes }, 'otp.refused', identifier, source, withheld),
  );
  const context: Context = { ...deps, ...hashes, parties, deliver };

  return {
    /**
     * Sends a code, and invalidates the previous one of the same client or asker. The default use
     * is signing in. Throws `otp.too_many_attempts`, `otp.rate_limited`, `otp.budget`.
     */
    send: (identifier: Identifier, requestSource: RequestSource, use: CodeUse = signInUse) =>
      sendCode(context, identifier, requestSource, use),

    /**
     * Resolves when the code is right; each code works once. Throws `otp.invalid` for a code that
     * is wrong, expired, used, was never sent or is for another use, `otp.too_many_attempts`, and a
     * RequestValidationError, without an attempt, for what is no code.
     */
    verify: (
      identifier: Identifier,
      code: string,
      verificationId: string | undefined,
      requestSource: RequestSource,
      use: CodeUse = signInUse,
    ) => verifyCode(context, { identifier, code, verificationId, use }, requestSource),

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
