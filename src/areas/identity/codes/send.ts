import { randomInt, randomUUID } from 'node:crypto';
import { type Identifier, mask } from '../../../lib/identifiers.ts';
import { clientKey } from '../../../lib/net/ip.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import {
  type CodeContext,
  codeLength,
  type CodeUse,
  countryOf,
  deviceBucket,
  lockedDecision,
  note,
  refusal,
  signInUse,
} from './context.ts';
import type { Bucket, NewCode, SendDecision } from './store.ts';

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

/** Sends a code, in the order in which it happens. Throws what `otp.send` does. */
export async function sendCode(
  context: CodeContext,
  identifier: Identifier,
  source: RequestSource,
  use: CodeUse,
): Promise<SentCode> {
  const { limits, clock, hashes } = context;
  const { purpose, template } = use;
  const code = newCode(context, identifier, purpose);
  const verificationId = randomUUID();
  const stored = await store(context, identifier, source, use, {
    identifier: hashes.identifierHash(identifier),
    channel: identifier.channel,
    purpose,
    verificationId,
    mac: hashes.codeHash(purpose, identifier, verificationId, code),
    isMuted: identifier.isRefused || !isAllowed(context, identifier),
  });
  const decision =
    stored.outcome === 'closed' || stored.outcome === 'reserve' ? lockedDecision(context) : stored;
  if ('retryAfterMs' in decision) {
    note(context, 'otp.refused', identifier, source, decision.outcome);
    throw refusal(decision);
  }
  const expiresAt = clock.now() + limits.lifetimeMs;
  await context.deliver({
    identifier,
    verificationId,
    code,
    template,
    expiresAt,
    withheld: withheldFor(context, identifier, decision.outcome),
    source: { address: source.address, requestId: source.requestId },
  });
  return {
    verificationId,
    to: mask(identifier),
    channel: identifier.channel,
    codeLength,
    maxAttempts: limits.attempts,
    expiresIn: limits.lifetimeMs / 1000,
    expiresAt,
    resendAfter: decision.sends > 1 ? 60 : 30,
  };
}

function newCode({ review }: CodeContext, identifier: Identifier, purpose: string): string {
  const random = String(randomInt(10 ** codeLength)).padStart(codeLength, '0');
  // The fixed code only signs in: it must not add the address to another account.
  return (purpose === signInUse.purpose ? review.codeOf(identifier) : undefined) ?? random;
}

const isAllowed = ({ countries }: CodeContext, { kind, country }: Identifier) =>
  kind === 'email' || countries.size === 0 || countries.has(country ?? '');

/** Why a code is not sent, though the response is the same; undefined if it is sent. */
function withheldFor(
  { review }: CodeContext,
  identifier: Identifier,
  outcome: SendDecision['outcome'],
): string | undefined {
  if (review.is(identifier)) return 'review_account';
  return outcome === 'sent' ? undefined : outcome;
}

/** A new code that has no bucket yet. */
type Unassigned = Omit<NewCode, 'bucket' | 'hasAccount' | 'address' | 'prefix' | 'country'>;

/**
 * Stores the code in the bucket of the asking user, of the known device, or of unknown devices.
 * `closed`: the bucket no longer gets codes.
 */
async function store(
  context: CodeContext,
  identifier: Identifier,
  source: RequestSource,
  { asker }: CodeUse,
  code: Unassigned,
): Promise<SendDecision> {
  const counted = (bucket: 'unknown' | { asker: string }) =>
    putCounted(context, code, bucket, { identifier, address: source.address });
  if (asker !== undefined) return counted({ asker });
  const bucket = await deviceBucket(context, identifier, source);
  if (bucket === undefined) return counted('unknown');
  const uncounted = { address: '', prefix: '', country: '' };
  const decision = await context.codes.put({ ...code, ...uncounted, bucket, hasAccount: true });
  // A device that has guessed too often counts as unknown.
  return decision.outcome === 'closed' ? counted('unknown') : decision;
}

/**
 * Counts codes of unknown devices, and of users for what is not theirs yet, by address, prefix and
 * country as well, against SMS pumping.
 */
async function putCounted(
  { codes, hashes: { hash }, hasAccount, countsAddresses }: CodeContext,
  code: Unassigned,
  bucket: Exclude<Bucket, { device: string }>,
  { identifier, address }: { identifier: Identifier; address: string },
): Promise<SendDecision> {
  const prefix = prefixOf(identifier, bucket);
  const counted = {
    ...code,
    bucket,
    prefix: prefix === '' ? '' : hash(prefix),
    country: countryOf(identifier),
    address: countsAddresses ? hash(`address ${clientKey(address)}`) : '',
  } as const;
  if (bucket !== 'unknown') return codes.put({ ...counted, hasAccount: true });
  const decision = await codes.put({ ...counted, hasAccount: undefined });
  // Looked up only when codes are reserved, to spare the record store a query.
  return decision.outcome === 'reserve'
    ? codes.put({ ...counted, hasAccount: await hasAccount(identifier) })
    : decision;
}

/**
 * What codes are counted by in an hour: numbers by their prefix, addresses that users ask for. What
 * users ask for has counters of its own, so that it uses up none of the sign-ins'.
 */
function prefixOf({ kind, key }: Identifier, bucket: Bucket): string {
  const counted = kind === 'phone' ? `prefix ${key.slice(0, -4)}` : key;
  if (bucket !== 'unknown') return `asked ${counted}`;
  return kind === 'phone' ? counted : '';
}
