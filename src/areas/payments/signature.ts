import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../lib/secrets/secrets.ts';

/** Tolerated clock difference in seconds, in both directions (Stripe's default). */
const toleranceSeconds = 300;

interface Signature {
  /** The text as sent, because it is part of the signed payload. */
  timestamp: string;
  /** Any may match: there are several while a secret is rotated. */
  digests: string[];
}

/** Parses `t=<unix seconds>,v1=<hex>[,v1=…]`. Other schemes, such as `v0`, are ignored. */
function parseSignature(header: string): Signature | undefined {
  const entries = header.split(',');
  const valuesOf = (scheme: string) =>
    entries
      .filter((entry) => entry.startsWith(`${scheme}=`))
      .map((entry) => entry.slice(scheme.length + 1));
  const [timestamp, ...others] = valuesOf('t');
  if (timestamp === undefined || others.length > 0 || !/^\d{1,12}$/.test(timestamp))
    return undefined;
  return { timestamp, digests: valuesOf('v1').filter((digest) => /^[0-9a-f]{64}$/.test(digest)) };
}

interface Signed {
  /** The value of `Stripe-Signature`. */
  header: string | undefined;
  /** The body as received. */
  body: Buffer;
  secrets: readonly string[];
  /** Unix ms. */
  now: number;
}

/**
 * True when one of the secrets signed exactly these bytes in the last 300 seconds.
 * https://docs.stripe.com/webhooks#verify-manually
 */
export function isSigned({ header = '', body, secrets, now }: Signed): boolean {
  const signature = parseSignature(header);
  if (signature === undefined) return false;
  const { timestamp, digests } = signature;
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > toleranceSeconds) return false;
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'),
  );
  // All are compared, so that the duration reveals nothing.
  return expected
    .flatMap((each) => digests.map((digest) => equalSecrets(digest, each)))
    .includes(true);
}
