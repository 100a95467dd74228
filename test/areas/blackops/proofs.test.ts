import {
  createHash,
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import * as DPoP from 'dpop';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNonces } from '../../../src/areas/blackops/recognition/nonces.ts';
import {
  createProofs,
  type ProofFault,
  type ProofTarget,
} from '../../../src/areas/blackops/recognition/proofs.ts';
import { minuteMs } from '../../../src/lib/durations.ts';
import { createRedis, redisReady } from '../../../src/platform/redis/redis.ts';
import { createTestHttp } from '../../support/http.ts';
import { testRedisUrl } from '../../support/redis.ts';

type Json = Record<string, unknown>;
interface Pair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

const start = Math.floor(Date.now() / (5 * minuteMs)) * 5 * minuteMs + minuteMs;
let at = start;
const clock = { now: () => at };
const seconds = () => at / 1000;
const nonceKey = Buffer.alloc(32, 1);
const nonces = createNonces({ key: nonceKey, clock });
/** The nonce of another time. */
const nonceAfter = (ms: number): string =>
  createNonces({ key: nonceKey, clock: { now: () => at + ms } }).current();
const url = 'https://service.example/api/blackops/status';
const target: ProofTarget = { method: 'POST', urls: [url], accessToken: undefined };
const token = 'access-token-of-this-session';
const withToken = { ...target, accessToken: token };

let redisUrl: string;
let redis: Redis;
let proofs: ReturnType<typeof createProofs>;

const connect = () =>
  createRedis({
    url: redisUrl,
    name: 'test',
    logger: createTestHttp().logger,
    purpose: 'requests',
  });

beforeAll(async () => {
  redisUrl = await testRedisUrl();
  redis = connect();
  await redisReady(redis, 5000);
  proofs = createProofs({ redis, nonces, clock });
});
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

const ecPair = (namedCurve: string): Pair => generateKeyPairSync('ec', { namedCurve });
const rsaPair = (): Pair => generateKeyPairSync('rsa', { modulusLength: 2048 });
const own = ecPair('P-256');
const other = ecPair('P-256');

/** The order of P-256. */
const curveOrder = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

const jwkOf = ({ publicKey }: Pair): JsonWebKey => publicKey.export({ format: 'jwk' });
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/**
 * Returns another encoding of the same bytes: unless their number is a multiple of three, the last
 * bits are unused.
 */
const otherEncoding = (text: string): string =>
  text.slice(0, -1) + letters.charAt(letters.indexOf(text.slice(-1)) + 1);
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
const thumbprint = (pair: Pair): string => {
  const { crv, kty, x, y } = jwkOf(pair);
  return sha256(JSON.stringify({ crv, kty, x, y }));
};
const headerOf = (pair: Pair = own): Json => ({ typ: 'dpop+jwt', alg: 'ES256', jwk: jwkOf(pair) });
const claimsNow = (): Json => ({
  jti: randomUUID(),
  htm: 'POST',
  htu: url,
  iat: seconds(),
  nonce: nonces.current(),
});

const signatureOf = (input: string, key: KeyObject, hash = 'sha256'): string =>
  sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');

/** Signs any header and claims, given as texts or values. */
function signJws(
  header: unknown,
  claims: unknown,
  { privateKey }: Pair = own,
  hash = 'sha256',
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signatureOf(input, privateKey, hash)}`;
}

/** A valid proof except for the given members; `undefined` removes a member. */
const proofWith = (claims: Json = {}, header: Json = {}): string =>
  signJws({ ...headerOf(), ...header }, { ...claimsNow(), ...claims });

const check = (proof: string, of: Partial<ProofTarget> = {}) =>
  proofs.check(proof, { ...target, ...of });
const valid = () => ({ isValid: true, jkt: thumbprint(own) });
const invalid = (
  fault: ProofFault,
  jkt: string | undefined = fault === 'malformed' ? undefined : thumbprint(own),
) => ({ isValid: false, fault, jkt });

/** Asserts the fault, and that the check consumed no `jti`. */
async function expectFault(proof: string, fault: ProofFault, of: Partial<ProofTarget> = {}) {
  expect(await check(proof, of)).toEqual(invalid(fault));
  expect(await redis.dbsize()).toBe(0);
}

async function expectMalformed(...texts: string[]): Promise<void> {
  for (const text of texts) await expectFault(text, 'malformed');
}

describe('the official client', () => {
  it('makes valid proofs with the same thumbprint', async () => {
    const pair = await DPoP.generateKeyPair('ES256');
    const jkt = await DPoP.calculateThumbprint(pair.publicKey);
    expect(await check(await DPoP.generateProof(pair, url, 'POST', nonces.current()))).toEqual({
      isValid: true,
      jkt,
    });
    expect(
      await check(await DPoP.generateProof(pair, url, 'POST', nonces.current(), token), withToken),
    ).toEqual({ isValid: true, jkt });
  });

  it('gets the fault `nonce` before it has a nonce', async () => {
    const pair = await DPoP.generateKeyPair('ES256');
    const jkt = await DPoP.calculateThumbprint(pair.publicKey);
    expect(await check(await DPoP.generateProof(pair, url, 'POST'))).toEqual(invalid('nonce', jkt));
  });

  it.each(['RS256', 'PS256', 'Ed25519'] as const)('is refused with %s', async (alg) => {
    const pair = await DPoP.generateKeyPair(alg);
    await expectMalformed(await DPoP.generateProof(pair, url, 'POST', nonces.current()));
  });

  it('can send its key with `key_ops`, `ext`, `use` and `alg`', async () => {
    const jwk = {
      ...jwkOf(own),
      key_ops: ['verify'],
      ext: true,
      use: 'sig',
      alg: 'ES256',
      kid: 'mine',
    };
    expect(await check(proofWith({}, { jwk }))).toEqual(valid());
  });
});

describe('htm', () => {
  it.each([
    ['of another method', 'GET'],
    ['in lower case', 'post'],
    ['with a space', 'POST '],
    ['empty', ''],
    ['not there', undefined],
    ['an array', ['POST']],
  ])('is refused: %s', async (_what, htm) => {
    await expectFault(proofWith({ htm }), 'htm');
  });
});

describe('htu', () => {
  it.each<[string, unknown]>([
    ['of another host', 'https://evil.example/api/blackops/status'],
    ['of a host that begins like ours', 'https://service.example.evil.example/api/blackops/status'],
    ['of another port', 'https://service.example:8443/api/blackops/status'],
    ['of another path', 'https://service.example/api/blackops/devices'],
    ['with a slash more', `${url}/`],
    ['of a path above', 'https://service.example/api/blackops'],
    ['with the path in another case', 'https://service.example/api/Blackops/status'],
    ['of http instead of https', url.replace('https', 'http')],
    ['of another scheme', url.replace('https', 'ftp')],
    ['with a user', url.replace('//', '//user@')],
    ['with a password', url.replace('//', '//user:secret@')],
    ['with our host as the user', 'https://service.example@evil.example/api/blackops/status'],
    ['with backslashes in the path', 'https://service.example\\api\\blackops\\status'],
    ['with backslashes', 'https:\\\\service.example\\api\\blackops\\status'],
    ['with a line break', 'https://service.example/api/\nblackops/status'],
    ['with a space before', ` ${url}`],
    ['with one slash', 'https:/service.example/api/blackops/status'],
    ['with a host that looks like ours', 'https://ſervice.example/api/blackops/status'],
    ['that is a path', '/api/blackops/status'],
    ['without a host', 'https://'],
    ['with a port that is none', 'https://service.example:99999/api/blackops/status'],
    ['with an open bracket', 'https://[::1/api'],
    ['that is empty', ''],
    ['that is no text', { href: url }],
    ['that is not there', undefined],
  ])('is refused: %s', async (_what, htu) => {
    await expectFault(proofWith({ htu }), 'htu');
  });

  it.each([
    ['with a query', `${url}?a=1`],
    ['with a fragment', `${url}#top`],
    ['with the host in upper case', url.replace('service.example', 'SERVICE.Example')],
    ['with the scheme in upper case', url.replace('https', 'HTTPS')],
    ['with the default port', url.replace('.example', '.example:443')],
    ['with dot segments', 'https://service.example/api/x/../blackops/./status'],
  ])('matches the same URL %s', async (_what, htu) => {
    expect(await check(proofWith({ htu }))).toEqual(valid());
  });

  it('can match any of the URLs, and never matches an invalid one', async () => {
    const urls = ['https://other.example/x', 'HTTP://LOCALHOST:80/api/blackops/status?b=2'];
    expect(
      await check(proofWith({ htu: 'http://localhost/api/blackops/status' }), { urls }),
    ).toEqual(valid());
    expect(await check(proofWith(), { urls })).toEqual(invalid('htu'));
    expect(await check(proofWith({ htu: 'nonsense' }), { urls: ['nonsense'] })).toEqual(
      invalid('htu'),
    );
    expect(await check(proofWith(), { urls: [] })).toEqual(invalid('htu'));
  });
});

describe('iat', () => {
  it.each<[string, () => unknown]>([
    ['of 61 seconds ago', () => seconds() - 61],
    ['61 seconds ahead', () => seconds() + 61],
    ['just over a minute ago', () => seconds() - 60.001],
    ['in milliseconds', () => at],
    ['as text', () => String(seconds())],
    ['as null, as NaN is written', () => NaN],
    ['of zero', () => 0],
    ['not there', () => undefined],
  ])('is refused: %s', async (_what, iat) => {
    await expectFault(proofWith({ iat: iat() }), 'iat');
  });

  it('is refused when JSON parses it as infinite or it is a bare NaN', async () => {
    const text = (iat: string) =>
      JSON.stringify({ ...claimsNow(), iat: 4711 }).replace('4711', iat);
    await expectFault(signJws(headerOf(), text('1e999')), 'iat');
    await expectMalformed(signJws(headerOf(), text('NaN')));
  });

  it.each([-60, 60, -59.5])('of %d seconds from now is valid', async (offset) => {
    expect(await check(proofWith({ iat: seconds() + offset }))).toEqual(valid());
  });

  it('expires', async () => {
    const proof = proofWith();
    at += minuteMs + 1;
    await expectFault(proof, 'iat');
  });

  it('is checked together with `exp` and `nbf`', async () => {
    expect(await check(proofWith({ exp: seconds() + 30, nbf: seconds() }))).toEqual(valid());
    await redis.flushdb();
    await expectFault(proofWith({ exp: seconds() - 60 }), 'iat');
    await expectFault(proofWith({ nbf: seconds() + 61 }), 'iat');
    await expectMalformed(proofWith({ exp: 'never' }));
  });
});

describe('jti', () => {
  it('is valid once', async () => {
    const proof = proofWith();
    expect(await check(proof)).toEqual(valid());
    expect(await check(proof)).toEqual(invalid('replayed'));
  });

  it('can not be reused in another proof of the key', async () => {
    expect(await check(proofWith({ jti: 'same' }))).toEqual(valid());
    expect(await check(proofWith({ jti: 'same', htm: 'GET' }), { method: 'GET' })).toEqual(
      invalid('replayed'),
    );
  });

  it('is not renewed by the second valid ECDSA signature', async () => {
    const [header = '', payload = '', signature = ''] = proofWith().split('.');
    const hex = bytesOf(signature).toString('hex');
    const twin =
      hex.slice(0, 64) +
      (BigInt(`0x${curveOrder}`) - BigInt(`0x${hex.slice(64)}`)).toString(16).padStart(64, '0');
    expect(await check(`${header}.${payload}.${signature}`)).toEqual(valid());
    const twinText = Buffer.from(twin, 'hex').toString('base64url');
    expect(await check(`${header}.${payload}.${twinText}`)).toEqual(invalid('replayed'));
  });

  it('of another key is independent', async () => {
    expect(await check(proofWith({ jti: 'same' }))).toEqual(valid());
    expect(await check(signJws(headerOf(other), { ...claimsNow(), jti: 'same' }, other))).toEqual({
      isValid: true,
      jkt: thumbprint(other),
    });
  });

  it('is valid for exactly one of 50 concurrent uses at two replicas', async () => {
    const second = connect();
    await redisReady(second, 5000);
    const replicas = [proofs, createProofs({ redis: second, nonces, clock })];
    const proof = proofWith();
    const checks = await Promise.all(
      Array.from({ length: 50 }, (_, use) => replicas[use % 2]!.check(proof, target)),
    );
    second.disconnect();
    expect(checks.filter(({ isValid }) => isValid)).toEqual([valid()]);
    for (const outcome of checks.filter(({ isValid }) => !isValid))
      expect(outcome).toEqual(invalid('replayed'));
  });

  it.each([
    ['empty', ''],
    ['of 257 characters', 'x'.repeat(257)],
    ['a number', 1],
    ['null', null],
    ['not there', undefined],
  ])('is refused: %s', async (_what, jti) => {
    await expectMalformed(proofWith({ jti }));
  });

  it('is stored as a hash, for longer than a proof or a nonce is valid', async () => {
    const jti = `${'x'.repeat(240)}\r\nFLUSHALL\0é`;
    expect(await check(proofWith({ jti }))).toEqual(valid());
    expect(await check(proofWith({ jti }))).toEqual(invalid('replayed'));
    const keys = await redis.keys('*');
    expect(keys).toEqual([expect.stringMatching(/^blackops:proof:[0-9a-f]{64}$/)]);
    const kept = await redis.pttl(keys[0]!);
    expect(kept).toBeGreaterThan(10 * minuteMs);
    expect(kept).toBeLessThanOrEqual(11 * minuteMs);
  });

  it.each<[ProofFault, Json, Partial<ProofTarget>]>([
    ['htm', {}, { method: 'GET' }],
    ['htu', {}, { urls: ['https://service.example/api/other'] }],
    ['ath', {}, { accessToken: token }],
  ])('is not consumed by a check with the fault %s', async (fault, claims, of) => {
    const proof = proofWith(claims);
    expect(await check(proof, of)).toEqual(invalid(fault));
    expect(await check(proof)).toEqual(valid());
  });

  it('is not consumed by the faults signature, malformed, iat and nonce', async () => {
    const jti = 'still-good';
    await expectFault(signJws(headerOf(), { ...claimsNow(), jti }, other), 'signature');
    await expectMalformed(proofWith({ jti }, { typ: 'JWT' }));
    await expectFault(proofWith({ jti, iat: 1 }), 'iat');
    await expectFault(proofWith({ jti, nonce: undefined }), 'nonce');
    expect(await check(proofWith({ jti }))).toEqual(valid());
  });
});

describe('ath', () => {
  it('is valid for the access token of the request', async () => {
    expect(await check(proofWith({ ath: sha256(token) }), withToken)).toEqual(valid());
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['of another token', sha256('another')],
    ['in hex', createHash('sha256').update(token).digest('hex')],
    ['padded', `${sha256(token)}=`],
    ['that is the token', token],
    ['empty', ''],
    ['null', null],
  ])('is refused: %s', async (_what, ath) => {
    await expectFault(proofWith({ ath }), 'ath', withToken);
  });

  it.each<[string, unknown]>([
    ['right one', sha256(token)],
    ['null', null],
    ['empty one', ''],
  ])('without a token is refused: %s', async (_what, ath) => {
    await expectFault(proofWith({ ath }), 'ath');
  });
});

describe('nonce', () => {
  it.each<[string, () => unknown]>([
    ['that is not there', () => undefined],
    ['of another key', () => createNonces({ key: Buffer.alloc(32, 2), clock }).current()],
    ['of two windows ago', () => nonceAfter(-10 * minuteMs)],
    ['of three windows ago', () => nonceAfter(-15 * minuteMs)],
    ['of the next window', () => nonceAfter(5 * minuteMs)],
    ['that was shortened', () => nonces.current().slice(0, -1)],
    ['in an array', () => [nonces.current()]],
    ['that is empty', () => ''],
  ])('is refused: %s', async (_what, nonce) => {
    await expectFault(proofWith({ nonce: nonce() }), 'nonce');
  });

  it('of the previous window is valid, and each window has its own', async () => {
    const before = nonces.current();
    expect(nonces.current()).toBe(before);
    at += 5 * minuteMs;
    expect(nonces.current()).not.toBe(before);
    expect(before).toMatch(/^[\w-]{43}$/);
    expect(await check(proofWith({ nonce: before }))).toEqual(valid());
    at += 5 * minuteMs;
    expect(await check(proofWith({ nonce: before }))).toEqual(invalid('nonce'));
  });

  it.each<[ProofFault, Json, Partial<ProofTarget>]>([
    ['htm', { htm: 'GET' }, {}],
    ['htu', { htu: 'https://evil.example/' }, {}],
    ['iat', { iat: 1 }, {}],
    ['ath', {}, withToken],
  ])('is not reported as missing when %s is wrong too', async (fault, claims, of) => {
    await expectFault(proofWith({ ...claims, nonce: undefined }), fault, of);
  });

  it('is not reported as missing to a client without the key', async () => {
    await expectFault(
      signJws(headerOf(), { ...claimsNow(), nonce: undefined }, other),
      'signature',
    );
  });
});

describe('the algorithm', () => {
  const unsigned = (alg: string) => `${encode({ ...headerOf(), alg })}.${encode(claimsNow())}`;

  it.each(['none', 'None', 'NONE', ''])(
    '"%s" is refused, with or without a signature',
    async (alg) => {
      await expectMalformed(`${unsigned(alg)}.`);
      await expectMalformed(`${unsigned(alg)}.AA`);
      await expectMalformed(proofWith({}, { alg }));
    },
  );

  it.each([
    ['PEM', own.publicKey.export({ format: 'pem', type: 'spki' })],
    ['DER', own.publicKey.export({ format: 'der', type: 'spki' })],
    ['JWK', JSON.stringify(jwkOf(own))],
  ])('HS256 with the public key as the secret is refused (%s)', async (_what, secret) => {
    const input = unsigned('HS256');
    await expectMalformed(
      `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`,
    );
  });

  it('RS256 is refused, with an RSA key and with an EC key', async () => {
    const pair = rsaPair();
    await expectMalformed(
      signJws({ typ: 'dpop+jwt', alg: 'RS256', jwk: jwkOf(pair) }, claimsNow(), pair),
      signJws({ ...headerOf(), alg: 'RS256' }, claimsNow(), pair),
      signJws({ ...headerOf(pair), alg: 'ES256' }, claimsNow(), pair),
    );
  });

  it('ES384 is refused, and so is a P-384 key declared as ES256', async () => {
    const pair = ecPair('P-384');
    await expectMalformed(
      signJws({ ...headerOf(pair), alg: 'ES384' }, claimsNow(), pair, 'sha384'),
      signJws(headerOf(pair), claimsNow(), pair),
      signJws({ ...headerOf(), alg: 'ES384' }, claimsNow(), own, 'sha384'),
    );
  });

  it('ES256K is refused: the other 256-bit curve', async () => {
    const pair = ecPair('secp256k1');
    await expectMalformed(
      signJws({ ...headerOf(pair), alg: 'ES256K' }, claimsNow(), pair),
      signJws({ ...headerOf(), jwk: { ...jwkOf(pair), crv: 'P-256' } }, claimsNow(), pair),
    );
  });
});

describe('the key', () => {
  const jwk = jwkOf(own);
  const { x = '', y = '' } = jwk;
  it.each<[string, unknown]>([
    ['that is private', own.privateKey.export({ format: 'jwk' })],
    ['with an empty private part', { ...jwk, d: '' }],
    ['with null for a private part', { ...jwk, d: null }],
    ['of P-384', jwkOf(ecPair('P-384'))],
    ['that is a secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['of Ed25519', generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })],
    ['with a short x', { ...jwk, x: x.slice(0, -1) }],
    ['with a long y', { ...jwk, y: `${y}A` }],
    ['with padding', { ...jwk, x: `${x}=` }],
    ['in another encoding, with another thumbprint', { ...jwk, x: otherEncoding(x) }],
    ['off the curve', { ...jwk, x: y, y: x }],
    ['of zeros', { ...jwk, x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    ['without y', { ...jwk, y: undefined }],
    ['for encryption', { ...jwk, use: 'enc' }],
    ['for another algorithm', { ...jwk, alg: 'ES384' }],
    ['in an array', [jwk]],
    ['as text', JSON.stringify(jwk)],
    ['that is null', null],
    ['that is not there', undefined],
  ])('%s is refused', async (_what, wrong) => {
    await expectMalformed(proofWith({}, { jwk: wrong }));
  });
});

describe('the signature', () => {
  const parts = (): [string, string, Buffer] => {
    const [header = '', payload = '', signature = ''] = proofWith().split('.');
    return [header, payload, bytesOf(signature)];
  };
  const withSignature = (change: (signature: Buffer) => Buffer): string => {
    const [header, payload, signature] = parts();
    return `${header}.${payload}.${change(signature).toString('base64url')}`;
  };

  it('by another key than that of the header is refused', async () => {
    await expectFault(signJws(headerOf(), claimsNow(), other), 'signature');
  });

  it('is refused with any one byte changed', async () => {
    for (let place = 0; place < 64; place += 1) {
      await expectFault(
        withSignature((signature) => {
          signature[place]! ^= 1;
          return signature;
        }),
        'signature',
      );
    }
  });

  it.each<[string, (signature: Buffer) => Buffer]>([
    ['of zeros (r = s = 0)', () => Buffer.alloc(64)],
    ['with r = 0', (signature) => Buffer.concat([Buffer.alloc(32), signature.subarray(32)])],
    ['with s = 0', (signature) => Buffer.concat([signature.subarray(0, 32), Buffer.alloc(32)])],
    ['with r and s of the order of the curve', () => Buffer.from(curveOrder.repeat(2), 'hex')],
    ['of one byte', () => Buffer.alloc(1)],
    ['that is too short', (signature) => signature.subarray(0, 63)],
    ['with bytes after it', (signature) => Buffer.concat([signature, Buffer.alloc(1)])],
  ])('%s is refused', async (_what, change) => {
    await expectFault(withSignature(change), 'signature');
  });

  it('in DER is refused', async () => {
    const [header, payload] = parts();
    const input = `${header}.${payload}`;
    const signature = sign('sha256', Buffer.from(input), own.privateKey).toString('base64url');
    await expectFault(`${input}.${signature}`, 'signature');
  });

  it('of other claims is refused', async () => {
    const [header, , signature] = parts();
    await expectFault(
      `${header}.${encode(claimsNow())}.${signature.toString('base64url')}`,
      'signature',
    );
  });
});

describe('text that is not one compact JWS', () => {
  const flattened = (proof: string) => {
    const [header, payload, signature] = proof.split('.');
    return { protected: header, payload, signature };
  };
  const general = (jws: ReturnType<typeof flattened>) => ({
    payload: jws.payload,
    signatures: [jws],
  });

  it.each<[string, (proof: string) => string]>([
    ['nothing', () => ''],
    ['two parts', (proof) => proof.split('.').slice(0, 2).join('.')],
    ['four parts', (proof) => `${proof}.AA`],
    ['five parts', (proof) => `${proof}.AA.AA`],
    ['an empty signature', (proof) => proof.replace(/[^.]+$/, '')],
    ['an empty payload', (proof) => proof.replace(/\.[^.]+\./, '..')],
    ['two proofs with a comma, as two headers are joined', (proof) => `${proof}, ${proofWith()}`],
    ['the JSON serialisation, flattened', (proof) => JSON.stringify(flattened(proof))],
    ['the JSON serialisation, general', (proof) => JSON.stringify(general(flattened(proof)))],
    ['a megabyte', (proof) => proof + 'A'.repeat(1_000_000)],
    ['a megabyte of dots', () => '.'.repeat(1_000_000)],
    [
      '8193 characters',
      () => signJws(headerOf(), claimsNow()).replace('.', `${'A'.repeat(8193)}.`),
    ],
    ['letters that are not ASCII', (proof) => `${proof}é`],
    ['full-width letters', (proof) => proof.replace('e', 'ｅ')],
    ['a space before', (proof) => ` ${proof}`],
    ['a line break after', (proof) => `${proof}\n`],
    ['padding', (proof) => `${proof}==`],
    [
      'the other alphabet of base64',
      (proof) => proof.replace(/[^.]+$/, (signature) => `+/${signature.slice(2)}`),
    ],
    ['the scheme before', (proof) => `DPoP ${proof}`],
  ])('is refused: %s', async (_what, change) => {
    await expectMalformed(change(proofWith()));
  });

  it('is refused above 8192 characters, and valid up to there', async () => {
    const length = proofWith({ filler: '' }).length;
    const filled = (most: number) =>
      proofWith({ filler: 'x'.repeat(Math.floor(((most - length) * 3) / 4)) });
    const [largest, tooLarge] = [filled(8192), filled(8196)];
    expect(largest.length).toBeGreaterThan(8185);
    expect(tooLarge.length).toBeGreaterThan(8192);
    await expectMalformed(tooLarge);
    expect(await check(largest)).toEqual(valid());
  });

  it('is refused in any other encoding of the same bytes', async () => {
    const proof = proofWith();
    const signature = proof.replace(/.*\./, '');
    expect(bytesOf(otherEncoding(signature))).toEqual(bytesOf(signature));
    await expectMalformed(otherEncoding(proof));
  });
});

describe('the header', () => {
  it.each([
    ['JWT', 'JWT'],
    ['in upper case', 'DPOP+JWT'],
    ['with a prefix', 'application/dpop+jwt'],
    ['an array', ['dpop+jwt']],
    ['not there', undefined],
  ])('is refused with another typ: %s', async (_what, typ) => {
    await expectMalformed(proofWith({}, { typ }));
  });

  it.each<[string, Json]>([
    ['unknown', { crit: ['http://example.com/x'], 'http://example.com/x': 1 }],
    ['`b64`', { crit: ['b64'], b64: false }],
    ['empty', { crit: [] }],
    ['null', { crit: null }],
  ])('is refused with `crit`: %s', async (_what, header) => {
    await expectMalformed(proofWith({}, header));
  });

  it('never causes a fetch of a URL in it', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const named = {
      jku: 'http://127.0.0.1:9/jwks',
      x5u: 'http://127.0.0.1:9/x',
      kid: 'http://127.0.0.1:9/k',
      x5c: ['MIIB'],
    };
    expect(await check(proofWith({}, named))).toEqual(valid());
    await redis.flushdb();
    await expectMalformed(proofWith({}, { ...named, jwk: undefined }));
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    'null',
    '1',
    '"x"',
    '[]',
    '',
    '{',
    '{}',
    '\ufeff{}',
    '{"__proto__":{"typ":"dpop+jwt","alg":"ES256"}}',
  ])('is refused when it is %s', async (header) => {
    await expectMalformed(signJws(header === '' ? ' ' : header, claimsNow()));
  });
});

describe('the claims', () => {
  it.each([
    'null',
    '1',
    '"x"',
    '[]',
    '{',
    '{}',
    '['.repeat(5000),
    `${'['.repeat(2500)}${']'.repeat(2500)}`,
  ])('are refused when they are %s', async (claims) => {
    await expectMalformed(signJws(headerOf(), claims));
  });

  it('are refused after a byte order mark, and so is the header', async () => {
    await expectMalformed(
      signJws(headerOf(), `\ufeff${JSON.stringify(claimsNow())}`),
      signJws(`\ufeff${JSON.stringify(headerOf())}`, claimsNow()),
    );
  });

  it('are refused when they are not UTF-8', async () => {
    const claims = Buffer.concat([
      Buffer.from(`${JSON.stringify(claimsNow()).slice(0, -1)},"x":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const input = `${encode(headerOf())}.${claims.toString('base64url')}`;
    await expectMalformed(`${input}.${signatureOf(input, own.privateKey)}`);
  });

  it('are not read from the prototype', async () => {
    const { htm: _htm, ...others } = claimsNow();
    await expectFault(
      signJws(headerOf(), JSON.stringify(others).replace('{', '{"__proto__":{"htm":"POST"},')),
      'htm',
    );
  });
});

describe('a repeated member', () => {
  const twice = (value: unknown, extra: string) => JSON.stringify(value).replace('{', `{${extra},`);

  it.each(['"htm":"GET"', '"htm":"POST"', '"h\\u0074m":"POST"', '"x":{"a":1,"a":1}'])(
    'is refused in the claims: %s',
    async (extra) => {
      await expectMalformed(signJws(headerOf(), twice(claimsNow(), extra)));
    },
  );

  it('is refused in the header and in the key', async () => {
    await expectMalformed(
      signJws(twice(headerOf(), '"alg":"none"'), claimsNow()),
      signJws(twice(headerOf(), `"jwk":${JSON.stringify(jwkOf(other))}`), claimsNow()),
      signJws(JSON.stringify(headerOf()).replace('"kty"', '"kty":"EC","kty"'), claimsNow()),
    );
  });
});

describe('without Redis', () => {
  it('the check rejects, so nobody is admitted', async () => {
    const closed = connect();
    await redisReady(closed, 5000);
    closed.disconnect();
    const cut = createProofs({ redis: closed, nonces, clock });
    await expect(cut.check(proofWith(), target)).rejects.toThrow();
    expect(await cut.check(proofWith({ htm: 'GET' }), target)).toEqual(invalid('htm'));
  });
});

describe('a manipulated proof', () => {
  const alphabet = `${letters}.=+/ \n,"é`;
  const letter = fc.constantFrom(...alphabet);
  const edit = fc.record({
    kind: fc.constantFrom('replace', 'insert', 'remove', 'double'),
    where: fc.nat(),
    what: letter,
  });

  const edited = (
    text: string,
    { kind, where, what }: { kind: string; where: number; what: string },
  ): string => {
    const place = where % text.length;
    const [before, after] = [text.slice(0, place), text.slice(place)];
    if (kind === 'insert') return before + what + after;
    if (kind === 'double') return before + after.slice(0, 8) + after;
    return before + (kind === 'replace' ? what : '') + after.slice(1);
  };

  it('is never valid after random edits, while the original still is', async () => {
    const proof = proofWith();
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const changed = edits.reduce(edited, proof);
        fc.pre(changed !== proof);
        expect((await check(changed)).isValid).toBe(false);
      }),
      { numRuns: 2000 },
    );
    expect(await redis.dbsize()).toBe(0);
    expect(await check(proof)).toEqual(valid());
  });

  it('is never valid with one bit flipped', async () => {
    const parts = proofWith().split('.').map(bytesOf);
    const joined = () => parts.map((part) => part.toString('base64url')).join('.');
    for (const part of parts) {
      for (let bit = 0; bit < part.length * 8; bit += 1) {
        part[bit >> 3]! ^= 1 << (bit & 7);
        expect((await check(joined())).isValid).toBe(false);
        part[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
    expect(await redis.dbsize()).toBe(0);
    expect(await check(joined())).toEqual(valid());
  });

  it('never makes the check throw, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.tuple(fc.json(), fc.json()).map(([header, claims]) => signJws(header, claims)),
        ),
        async (text) => {
          expect(await check(text)).toEqual(invalid('malformed'));
        },
      ),
      { numRuns: 300 },
    );
  });
});
