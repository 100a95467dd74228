import {
  createHash,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { createNonces } from '../../../../src/areas/identity/devices/recognition/nonces.ts';
import {
  createProofs,
  type ProofFault,
  type ProofTarget,
} from '../../../../src/areas/identity/devices/recognition/proofs.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { createRedis, redisReady } from '../../../../src/platform/redis/redis.ts';
import { createTestHttp } from '../../../support/http.ts';
import { testRedisUrl } from '../../../support/redis.ts';

export type Json = Record<string, unknown>;
interface Pair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export const url = 'https://service.example/api/blackops/status';
export const token = 'access-token-of-this-session';
export const target: ProofTarget = { method: 'POST', urls: [url], accessToken: undefined };
export const withToken = { accessToken: token };

export const ecPair = (namedCurve: string): Pair => generateKeyPairSync('ec', { namedCurve });
/** The key of the valid proofs. */
export const own = ecPair('P-256');
export const other = ecPair('P-256');

/** The order of P-256. */
export const curveOrder = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

export const jwkOf = ({ publicKey }: Pair): JsonWebKey => publicKey.export({ format: 'jwk' });
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');
export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
export const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');
const thumbprint = (pair: Pair): string => {
  const { crv, kty, x, y } = jwkOf(pair);
  return sha256(JSON.stringify({ crv, kty, x, y }));
};

export const headerOf = (pair: Pair = own): Json => ({
  typ: 'dpop+jwt',
  alg: 'ES256',
  jwk: jwkOf(pair),
});
export const signatureOf = (input: string, { privateKey }: Pair = own, hash = 'sha256'): string =>
  sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );
/** Signs any header and claims, given as texts or values. */
export function signJws(header: unknown, claims: unknown, pair = own, hash = 'sha256'): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signatureOf(input, pair, hash)}`;
}

export const valid = (pair = own) => ({ isValid: true, jkt: thumbprint(pair) });
export const invalid = (
  fault: ProofFault,
  jkt: string | undefined = fault === 'malformed' ? undefined : thumbprint(own),
) => ({ isValid: false, fault, jkt });

const start = Math.floor(Date.now() / (5 * minuteMs)) * 5 * minuteMs + minuteMs;

/** Gives a file the check of proofs, on a Redis database of its own and a clock that stands. */
export async function useProofs() {
  let at = start;
  const clock = { now: () => at };
  const seconds = () => at / 1000;
  const nonceKey = Buffer.alloc(32, 1);
  const nonces = createNonces({ key: nonceKey, clock });
  const redisUrl = await testRedisUrl();

  /** The check of another replica, with its own connection. */
  async function openReplica() {
    const { logger } = createTestHttp();
    const connection = createRedis({ url: redisUrl, name: 'test', logger, purpose: 'requests' });
    await redisReady(connection, 5000);
    return { redis: connection, ...createProofs({ redis: connection, nonces, clock }) };
  }

  const { redis, ...proofs } = await openReplica();
  beforeEach(async () => {
    // The official client reads the time from `Date`.
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    at = start;
    await redis.flushdb();
  });
  afterAll(() => {
    vi.useRealTimers();
    redis.disconnect();
  });

  const claimsNow = (): Json => ({
    jti: randomUUID(),
    htm: 'POST',
    htu: url,
    iat: seconds(),
    nonce: nonces.current(),
  });
  const check = (proof: string, of: Partial<ProofTarget> = {}) =>
    proofs.check(proof, { ...target, ...of });
  async function expectValid(proof: string, of: Partial<ProofTarget> = {}) {
    expect(await check(proof, of)).toEqual(valid());
  }
  async function expectInvalid(proof: string, fault: ProofFault, of: Partial<ProofTarget> = {}) {
    expect(await check(proof, of)).toEqual(invalid(fault));
  }
  /** Expects the fault, and that the check consumed no `jti`. */
  async function expectFault(proof: string, fault: ProofFault, of: Partial<ProofTarget> = {}) {
    await expectInvalid(proof, fault, of);
    expect(await redis.dbsize()).toBe(0);
  }

  async function expectMalformed(...texts: string[]): Promise<void> {
    for (const text of texts) await expectFault(text, 'malformed');
  }

  return {
    now: () => at,
    seconds,
    pass: (ms: number) => void (at += ms),
    currentNonce: () => nonces.current(),
    /** The nonce of another time, or of another key. */
    otherNonce: (ms: number, key = nonceKey) =>
      createNonces({ key, clock: { now: () => at + ms } }).current(),
    claimsNow,
    /** A valid proof except for the given members; `undefined` removes a member. */
    proofWith: (claims: Json = {}, header: Json = {}): string =>
      signJws({ ...headerOf(), ...header }, { ...claimsNow(), ...claims }),
    check,
    openReplica,
    get redis() {
      return redis;
    },
    expectValid,
    expectInvalid,
    expectFault,
    expectMalformed,
  };
}
