import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { memoizeByObject } from '../../../lib/memoize.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import type { NfcParts } from '../compose.ts';

/** What a token says of a tap. */
interface TokenClaims {
  tagId: string;
  uid: string | null;
  counter: number;
  /** The origin that the token is for. */
  audience: string;
}

const lifetimeSeconds = 60;
/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex');

const library = () => import('jose');

/** The same key on every replica: an Ed25519 key is any 32 random bytes (RFC 8032 §5.1.5). */
const signingKey = (keys: Keys): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Start, keys('nfc-tap-tokens')]),
    format: 'der',
    type: 'pkcs8',
  });

async function publicJwk(privateKey: KeyObject) {
  const { calculateJwkThumbprint, exportJWK } = await library();
  const jwk = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  return { kty: 'OKP' as const, crv: 'Ed25519' as const, x: jwk.x ?? '', kid };
}

/** Signs tokens about genuine taps, which other services verify with the JWKS. */
export function createTapTokens({
  keys,
  clock,
  baseUrl,
}: Pick<NfcParts, 'keys' | 'clock' | 'baseUrl'>) {
  const privateKey = signingKey(keys);
  const jwkOf = memoizeByObject(publicJwk);

  return {
    /** The public key as a JWK Set (RFC 7517). */
    jwks: async () => ({
      keys: [{ ...(await jwkOf(privateKey)), alg: 'EdDSA' as const, use: 'sig' as const }],
    }),

    /** Returns a JWT (RFC 7519, EdDSA) that is valid for 60 seconds. */
    async sign({ tagId, uid, counter, audience }: TokenClaims): Promise<string> {
      const { SignJWT } = await library();
      const { kid } = await jwkOf(privateKey);
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ uid, counter })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
        .setIssuer(baseUrl)
        .setSubject(tagId)
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(privateKey);
    },
  };
}

export type TapTokens = ReturnType<typeof createTapTokens>;
