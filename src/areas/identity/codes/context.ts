import type { Clock } from '../../../lib/clock.ts';
import type { Identifier } from '../../../lib/identifiers.ts';
import { retryAfter } from '../../../platform/errors/errors.ts';
import { codeErrors } from '../code-errors.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { Audit } from '../../audit/service.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { ReviewAccount } from '../users/policies/review-account.ts';
import { otpErrors } from './errors.ts';
import type { CodeHashes } from './hashes.ts';
import type { SendCode } from './message.ts';
import type { Bucket, CodeStore, OtpLimits, SendDecision } from './store.ts';

/** What sending and verifying codes use. */
export interface CodeContext {
  codes: CodeStore;
  knownDevices: Pick<KnownDevices, 'deviceFor'>;
  /** Whether the address or number belongs to a user. */
  hasAccount: (identifier: Pick<Identifier, 'kind' | 'key'>) => Promise<boolean>;
  hashes: CodeHashes;
  deliver: SendCode;
  review: Pick<ReviewAccount, 'is' | 'codeOf' | 'codeLength'>;
  audit: Pick<Audit, 'note' | 'record'>;
  clock: Clock;
  limits: OtpLimits;
  /** Whether codes are also limited per client address. */
  countsAddresses: boolean;
  /** ISO 3166-1 alpha-2 codes of the countries whose numbers get codes; empty for all. */
  countries: ReadonlySet<string>;
}

/** What a code is for. A code works only for the purpose that it was sent for. */
export interface CodeUse {
  purpose: string;
  template: 'sign_in_code' | 'contact_code';
  /**
   * The user who asks, when the address or number may be someone else's: codes, attempts and locks
   * count for this user then, and leave those of the owner alone.
   */
  asker?: string;
}

/** A code as a client entered it. */
export interface EnteredCode {
  code: string;
  /** Undefined if the client sent none. */
  verificationId: string | undefined;
}

export const codeLength = 6;
export const signInUse: CodeUse = { purpose: 'sign_in', template: 'sign_in_code' };

/** The country that sends and verifications count for; '' for email. */
export const countryOf = ({ kind, country }: Identifier): string =>
  kind === 'phone' ? (country ?? 'none') : '';

/** The bucket of the known device that the request comes from, if any. */
export async function deviceBucket(
  { knownDevices }: Pick<CodeContext, 'knownDevices'>,
  { kind, key }: Identifier,
  { deviceTokens }: RequestSource,
): Promise<Bucket | undefined> {
  const device = await knownDevices.deviceFor(deviceTokens, { kind, key });
  return device === undefined ? undefined : { device };
}

type Refused = Extract<SendDecision, { retryAfterMs: number }>;

/** Closed codes get the same response as locked ones. */
export const lockedDecision = ({ limits }: Pick<CodeContext, 'limits'>) =>
  ({ outcome: 'locked', retryAfterMs: limits.lock.longestLockMs }) as const;

/** The error for a code that is neither sent nor compared for now, with `Retry-After`. */
export function refusal({ outcome, retryAfterMs }: Refused): Error {
  const options = retryAfter(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  if (outcome === 'budget') return otpErrors.budget(options);
  return outcome === 'locked'
    ? codeErrors.too_many_attempts(options)
    : otpErrors.rate_limited(options);
}

type CodeAction =
  | 'otp.sent'
  | 'otp.refused'
  | 'otp.verified'
  | 'otp.failed'
  | 'otp.locked'
  | 'otp.closed'
  | 'review_account.used';
const successes: readonly CodeAction[] = ['otp.sent', 'otp.verified', 'review_account.used'];

/** Adds to the audit log, which names the identifier by its HMAC. */
export function note(
  { audit, hashes }: Pick<CodeContext, 'audit' | 'hashes'>,
  action: CodeAction,
  identifier: Identifier,
  { address, requestId }: Pick<RequestSource, 'address' | 'requestId'>,
  reason?: string,
): void {
  const { channel, country } = identifier;
  audit.note({
    action,
    outcome: successes.includes(action) ? 'success' : 'failure',
    reason,
    actor: { kind: 'anonymous' },
    target: { kind: 'identifier', id: hashes.identifierHash(identifier) },
    address,
    requestId,
    details: { channel, ...(country === undefined ? {} : { country }) },
  });
}
