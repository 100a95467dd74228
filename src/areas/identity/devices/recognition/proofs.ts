import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { CryptoKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../../lib/clock.ts';
import { findRepeatedMember } from '../../../../lib/json/repeated-members.ts';
import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import type { Nonces } from './nonces.ts';
import { parseUrl } from '../../../../lib/net/parse-url.ts';

/** The request that a proof must match. */
export interface ProofTarget {
  method: string;
  /** Absolute URLs, without query, under which the client may address this path. */
  urls: readonly string[];
  /** The access token that the request carries, if any. */
  accessToken: string | undefined;
}

export type ProofFault =
  'malformed' | 'signature' | 'htm' | 'htu' | 'iat' | 'nonce' | 'ath' | 'replayed';

/**
 * `jkt` is the RFC 7638 thumbprint of the key in the proof. With the fault `signature` it is
 * unverified: anybody can put a public key into a header.
 */
export type ProofCheck =
  { isValid: true; jkt: string } | { isValid: false; fault: ProofFault; jkt: string | undefined };

const maxLength = 8192;
const toleranceSeconds = 60;

/**
 * How long a used `jti` is remembered: longer than a proof's `iat` (two minutes) and its nonce
 * (ten) are valid, so that a clock that is set back opens no gap.
 */
const replayWindowMs = 660_000;

const utf8 = (bytes: Buffer): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

/**
 * Only the canonical encoding is accepted. Decoders ignore foreign characters and trailing bits,
 * which would give one key several thumbprints.
 */
const isBase64url = (text: string): boolean =>
  Buffer.from(text, 'base64url').toString('base64url') === text;

const coordinate = z.string().length(43).refine(isBase64url);
/**
 * `crit` is always refused, since no extension is supported. `jku`, `x5u` and similar members are
 * ignored.
 */
const Header = z.object({
  typ: z.literal('dpop+jwt'),
  alg: z.literal('ES256'),
  crit: z.never().optional(),
  jwk: z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate,
    y: coordinate,
    d: z.never().optional(),
    alg: z.literal('ES256').optional(),
    use: z.literal('sig').optional(),
  }),
});
type PublicJwk = z.output<typeof Header>['jwk'];

/**
 * A claim of a wrong type counts as missing. `exp` and `nbf` are optional, and checked when present
 * (RFC 7519 §4.1).
 */
const Claims = z.object({
  jti: z.string().min(1).max(256),
  htm: z.string().optional().catch(undefined),
  htu: z.string().optional().catch(undefined),
  iat: z.number().optional().catch(undefined),
  nonce: z.string().optional().catch(undefined),
  ath: z.unknown().optional(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
});
type Claims = z.output<typeof Claims>;

interface Proof {
  jwk: PublicJwk;
  claims: Claims;
}

/** Decodes base64url of JSON in UTF-8. Throws when it is malformed or repeats a member. */
function decodeJson(part: string): unknown {
  const text = utf8(Buffer.from(part, 'base64url'));
  const value: unknown = JSON.parse(text);
  if (findRepeatedMember(text) !== undefined) throw new SyntaxError('repeated member');
  return value;
}

function read(proof: string): Proof | undefined {
  if (proof.length > maxLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(proof)) return undefined;
  const [header = '', payload = '', signature = ''] = proof.split('.');
  if (![header, payload, signature].every(isBase64url)) return undefined;
  try {
    return { jwk: Header.parse(decodeJson(header)).jwk, claims: Claims.parse(decodeJson(payload)) };
  } catch {
    return undefined;
  }
}

// Loaded with the first proof: deployments without DPoP clients never need it.
const library = () => import('jose');

/** Imports a key and computes its thumbprint; undefined when the point is not on the curve. */
async function importKey({ kty, crv, x, y }: PublicJwk) {
  const { importJWK, calculateJwkThumbprint } = await library();
  const jwk = { kty, crv, x, y };
  const key = await importJWK(jwk, 'ES256').catch(() => undefined);
  return key && { key, jkt: await calculateJwkThumbprint(jwk) };
}

async function isSignedBy(key: CryptoKey | Uint8Array, proof: string): Promise<boolean> {
  const { compactVerify } = await library();
  return compactVerify(proof, key, { algorithms: ['ES256'] }).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the origin and path of a URL, normalised by `new URL`; undefined with userinfo, which no
 * request target has (RFC 9110 §4.2.4).
 */
function originAndPath(text: string): string | undefined {
  // `new URL` also accepts invalid URIs, for example with backslashes and line breaks.
  const url = /^https?:\/\/[!-[\]-~]+$/i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return undefined;
  const { origin, pathname, username, password } = url;
  return username === '' && password === '' ? origin + pathname : undefined;
}

function isAmong(urls: readonly string[], htu: string): boolean {
  const address = originAndPath(htu);
  return address !== undefined && urls.some((url) => originAndPath(url) === address);
}

/** `now` is in Unix seconds, like the claims. */
function isTimely({ iat, exp = Infinity, nbf = -Infinity }: Claims, now: number): boolean {
  return (
    iat !== undefined &&
    Math.abs(now - iat) <= toleranceSeconds &&
    now < exp + toleranceSeconds &&
    now >= nbf - toleranceSeconds
  );
}

const hashOf = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest('base64url');

/**
 * Checks DPoP proofs (RFC 9449 §4.3) of P-256 keys, ES256 only. Every proof needs a nonce of this
 * service and is valid once: Redis remembers a hash of its thumbprint and `jti`.
 */
export function createProofs({
  redis,
  nonces,
  clock,
}: {
  redis: Redis;
  nonces: Nonces;
  clock: Clock;
}) {
  /** The nonce is checked last: a request for a new nonce implies that all else is valid. */
  function faultOf(
    { htm, htu, nonce, ath, ...times }: Claims,
    { method, urls, accessToken }: ProofTarget,
  ): ProofFault | undefined {
    if (htm !== method) return 'htm';
    if (htu === undefined || !isAmong(urls, htu)) return 'htu';
    if (!isTimely(times, clock.now() / 1000)) return 'iat';
    if (ath !== (accessToken === undefined ? undefined : hashOf(accessToken))) return 'ath';
    return nonce !== undefined && nonces.isValid(nonce) ? undefined : 'nonce';
  }

  /** Atomic: of concurrent calls with the same proof one returns true. */
  async function spend(jkt: string, jti: string): Promise<boolean> {
    return (
      (await redis.set(
        `blackops:proof:${sha256Hex(`${jkt}.${jti}`)}`,
        '1',
        'PX',
        replayWindowMs,
        'NX',
      )) === 'OK'
    );
  }

  return {
    /**
     * Checks a compact JWS, the value of one `DPoP` header. Only a valid proof consumes its `jti`.
     * Rejects while Redis is unavailable, because replays could not be detected.
     */
    async check(proof: string, target: ProofTarget): Promise<ProofCheck> {
      const parsed = read(proof);
      const imported = parsed && (await importKey(parsed.jwk));
      if (parsed === undefined || imported === undefined)
        return { isValid: false, fault: 'malformed', jkt: undefined };
      const { key, jkt } = imported;
      if (!(await isSignedBy(key, proof))) return { isValid: false, fault: 'signature', jkt };
      const fault =
        faultOf(parsed.claims, target) ??
        ((await spend(jkt, parsed.claims.jti)) ? undefined : 'replayed');
      return fault === undefined ? { isValid: true, jkt } : { isValid: false, fault, jkt };
    },
  };
}

export type Proofs = ReturnType<typeof createProofs>;
