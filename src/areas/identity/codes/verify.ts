import type { Identifier } from '../../../lib/identifiers.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { codeErrors } from '../code-errors.ts';
import { readOneTimeCode } from '../entered-codes.ts';
import {
  type CodeContext,
  codeLength,
  type CodeUse,
  countryOf,
  deviceBucket,
  type EnteredCode,
  lockedDecision,
  note,
  refusal,
} from './context.ts';
import type { Bucket, CheckDecision } from './store.ts';

/** Verifies an entered code, in the order in which it happens. Throws what `otp.verify` does. */
export async function verifyCode(
  context: CodeContext,
  identifier: Identifier,
  { code: entered, verificationId }: EnteredCode,
  source: RequestSource,
  { purpose, asker }: CodeUse,
): Promise<void> {
  const { hashes, review } = context;
  const code = readOneTimeCode(entered, review.codeLength);
  // The length of the review account's code is a wrong code for everybody else.
  const isWellFormed = review.is(identifier)
    ? code === review.codeOf(identifier)
    : code.length === codeLength;
  const attempt: Attempt = {
    identifier,
    hashed: hashes.identifierHash(identifier),
    purpose,
    hashFor: (id) => (isWellFormed ? hashes.codeHash(purpose, identifier, id, code) : ''),
    verificationId: verificationId === '' ? undefined : verificationId,
  };
  const checked =
    asker === undefined
      ? await checkSignIn(context, attempt, source)
      : await checkAsked(context, attempt, { asker });
  const decision = checked.outcome === 'closed' ? lockedDecision(context) : checked;
  noteDecision(context, identifier, decision, source);
  if (decision.outcome === 'right') return;
  throw 'retryAfterMs' in decision ? refusal(decision) : codeErrors.invalid();
}

interface Attempt {
  identifier: Identifier;
  /** HMAC of the identifier. */
  hashed: string;
  purpose: string;
  /** HMAC of the code, given the verification id. */
  hashFor: (verificationId: string) => string;
  verificationId: string | undefined;
}

/** A user's code to an address that they want to add counts for that user alone. */
async function checkAsked(
  context: CodeContext,
  attempt: Attempt,
  bucket: { asker: string },
): Promise<CheckDecision> {
  const decision = await checkIn(bucket, context, attempt, attempt.verificationId);
  return decision.outcome === 'other' ? checkIn(bucket, context, attempt) : decision;
}

/**
 * Counts the attempt in the bucket of the code that it is compared with: that of the known device,
 * or else that of unknown devices, which can't use up the device's attempts.
 */
async function checkSignIn(
  context: CodeContext,
  attempt: Attempt,
  source: RequestSource,
): Promise<CheckDecision> {
  const { identifier, hashed, verificationId } = attempt;
  const device = await deviceBucket(context, identifier, source);
  if (verificationId !== undefined) {
    const own =
      device === undefined ? undefined : await checkIn(device, context, attempt, verificationId);
    if (own !== undefined && own.outcome !== 'other' && own.outcome !== 'closed') return own;
    const decision = await checkIn('unknown', context, attempt, verificationId);
    if (decision.outcome !== 'other') return decision;
  }
  if (device === undefined) return checkIn('unknown', context, attempt);
  const decision = await checkIn(await liveBucket(context, hashed, device), context, attempt);
  return decision.outcome === 'closed' ? checkIn('unknown', context, attempt) : decision;
}

/** Compares with the bucket's code: that of `verificationId`, or else the live one. */
async function checkIn(
  bucket: Bucket,
  { codes }: CodeContext,
  { identifier, hashed, purpose, hashFor }: Attempt,
  verificationId?: string,
): Promise<CheckDecision> {
  const id = verificationId ?? (await codes.verificationOf(hashed, bucket)) ?? '';
  return codes.check({
    identifier: hashed,
    bucket,
    purpose,
    country: bucket === 'unknown' || 'asker' in bucket ? countryOf(identifier) : '',
    mac: hashFor(id),
    verificationId,
  });
}

/** The bucket of the live code when no verification id is given: the device's, or else unknown. */
async function liveBucket({ codes }: CodeContext, hashed: string, device: Bucket): Promise<Bucket> {
  if (await codes.hasLiveCode(hashed, device)) return device;
  return (await codes.hasLiveCode(hashed, 'unknown')) ? 'unknown' : device;
}

const triggeredAction = { lock: 'otp.locked', closure: 'otp.closed' } as const;

function noteDecision(
  context: CodeContext,
  identifier: Identifier,
  decision: CheckDecision,
  source: RequestSource,
): void {
  if (decision.outcome === 'right') {
    note(context, 'otp.verified', identifier, source);
    if (context.review.is(identifier)) note(context, 'review_account.used', identifier, source);
    return;
  }
  const action =
    decision.outcome === 'wrong' && decision.triggered !== undefined
      ? triggeredAction[decision.triggered]
      : 'otp.failed';
  note(context, action, identifier, source, decision.outcome);
}
