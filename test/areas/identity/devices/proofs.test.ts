import { createHash } from 'node:crypto';
import * as DPoP from 'dpop';
import { describe, expect, it } from 'vitest';
import type {
  ProofFault,
  ProofTarget,
} from '../../../../src/areas/identity/devices/recognition/proofs.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';
import {
  bytesOf,
  curveOrder,
  headerOf,
  invalid,
  type Json,
  jwkOf,
  other,
  own,
  sha256,
  signJws,
  target,
  token,
  url,
  useProofs,
  valid,
  withToken,
} from './proof-signing.ts';

const lab = await useProofs();
const { check, claimsNow, currentNonce, otherNonce, proofWith, seconds } = lab;
const { expectFault, expectInvalid, expectMalformed, expectValid } = lab;

describe('the official client', () => {
  it('makes valid proofs with the same thumbprint, once it has a nonce', async () => {
    const pair = await DPoP.generateKeyPair('ES256');
    const jkt = await DPoP.calculateThumbprint(pair.publicKey);
    const prove = (accessToken?: string) =>
      DPoP.generateProof(pair, url, 'POST', currentNonce(), accessToken);
    expect(await check(await prove())).toEqual({ isValid: true, jkt });
    expect(await check(await prove(token), withToken)).toEqual({ isValid: true, jkt });
    const early = await DPoP.generateProof(pair, url, 'POST');
    expect(await check(early)).toEqual(invalid('nonce', jkt));
  });

  it.each(['RS256', 'PS256', 'Ed25519'] as const)('is refused with %s', async (alg) => {
    const pair = await DPoP.generateKeyPair(alg);
    await expectMalformed(await DPoP.generateProof(pair, url, 'POST', currentNonce()));
  });

  it('can send its key with `key_ops`, `ext`, `use` and `alg`', async () => {
    const extras = { key_ops: ['verify'], ext: true, use: 'sig', alg: 'ES256', kid: 'mine' };
    await expectValid(proofWith({}, { jwk: { ...jwkOf(own), ...extras } }));
  });
});

describe('the claim htm of a proof', () => {
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

describe('the claim htu of a proof', () => {
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
    ['with an invalid port', 'https://service.example:99999/api/blackops/status'],
    ['with an open bracket', 'https://[::1/api'],
    ['that is empty', ''],
    ['that is not text', { href: url }],
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
    await expectValid(proofWith({ htu }));
  });

  it('can match any of the URLs, and never matches an invalid one', async () => {
    const urls = ['https://other.example/x', 'HTTP://LOCALHOST:80/api/blackops/status?b=2'];
    await expectValid(proofWith({ htu: 'http://localhost/api/blackops/status' }), { urls });
    await expectInvalid(proofWith(), 'htu', { urls });
    await expectInvalid(proofWith({ htu: 'nonsense' }), 'htu', { urls: ['nonsense'] });
    await expectInvalid(proofWith(), 'htu', { urls: [] });
  });
});

describe('the claim iat of a proof', () => {
  it.each<[string, () => unknown]>([
    ['of 61 seconds ago', () => seconds() - 61],
    ['61 seconds ahead', () => seconds() + 61],
    ['just over a minute ago', () => seconds() - 60.001],
    ['in milliseconds', () => lab.now()],
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
    await expectValid(proofWith({ iat: seconds() + offset }));
  });

  it('expires after a minute', async () => {
    const proof = proofWith();
    lab.pass(minuteMs + 1);
    await expectFault(proof, 'iat');
  });

  it('is checked together with `exp` and `nbf`', async () => {
    await expectValid(proofWith({ exp: seconds() + 30, nbf: seconds() }));
    await lab.redis.flushdb();
    await expectFault(proofWith({ exp: seconds() - 60 }), 'iat');
    await expectFault(proofWith({ nbf: seconds() + 61 }), 'iat');
    await expectMalformed(proofWith({ exp: 'never' }));
  });
});

describe('the claim jti of a proof', () => {
  it('is valid once', async () => {
    const proof = proofWith();
    await expectValid(proof);
    await expectInvalid(proof, 'replayed');
  });

  it('can not be reused in another proof of the key', async () => {
    await expectValid(proofWith({ jti: 'same' }));
    const again = proofWith({ jti: 'same', htm: 'GET' });
    await expectInvalid(again, 'replayed', { method: 'GET' });
  });

  it('is not renewed by the second valid ECDSA signature', async () => {
    const [header = '', payload = '', signature = ''] = proofWith().split('.');
    const hex = bytesOf(signature).toString('hex');
    const twin =
      hex.slice(0, 64) +
      (BigInt(`0x${curveOrder}`) - BigInt(`0x${hex.slice(64)}`)).toString(16).padStart(64, '0');
    await expectValid(`${header}.${payload}.${signature}`);
    const twinText = Buffer.from(twin, 'hex').toString('base64url');
    await expectInvalid(`${header}.${payload}.${twinText}`, 'replayed');
  });

  it('of another key is independent', async () => {
    await expectValid(proofWith({ jti: 'same' }));
    const proof = signJws(headerOf(other), { ...claimsNow(), jti: 'same' }, other);
    expect(await check(proof)).toEqual(valid(other));
  });

  it('is valid for exactly one of 50 concurrent uses at two replicas', async () => {
    const second = await lab.openReplica();
    const proof = proofWith();
    const checks = await Promise.all(
      Array.from({ length: 50 }, (_, use) =>
        use % 2 === 0 ? check(proof) : second.check(proof, target),
      ),
    );
    second.redis.disconnect();
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
    await expectValid(proofWith({ jti }));
    await expectInvalid(proofWith({ jti }), 'replayed');
    const keys = await lab.redis.keys('*');
    expect(keys).toEqual([expect.stringMatching(/^blackops:proof:[0-9a-f]{64}$/)]);
    const kept = await lab.redis.pttl(keys[0]!);
    expect(kept).toBeGreaterThan(10 * minuteMs);
    expect(kept).toBeLessThanOrEqual(11 * minuteMs);
  });

  it.each<[ProofFault, Partial<ProofTarget>]>([
    ['htm', { method: 'GET' }],
    ['htu', { urls: ['https://service.example/api/other'] }],
    ['ath', withToken],
  ])('is not consumed by a check with the fault %s', async (fault, of) => {
    const proof = proofWith();
    await expectInvalid(proof, fault, of);
    await expectValid(proof);
  });

  it('is not consumed by the faults signature, malformed, iat and nonce', async () => {
    const jti = 'still-good';
    await expectFault(signJws(headerOf(), { ...claimsNow(), jti }, other), 'signature');
    await expectMalformed(proofWith({ jti }, { typ: 'JWT' }));
    await expectFault(proofWith({ jti, iat: 1 }), 'iat');
    await expectFault(proofWith({ jti, nonce: undefined }), 'nonce');
    await expectValid(proofWith({ jti }));
  });
});

describe('the claim ath of a proof', () => {
  it('is valid for the access token of the request', async () => {
    await expectValid(proofWith({ ath: sha256(token) }), withToken);
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

describe('the claim nonce of a proof', () => {
  it.each<[string, () => unknown]>([
    ['that is not there', () => undefined],
    ['of another key', () => otherNonce(0, Buffer.alloc(32, 2))],
    ['of two windows ago', () => otherNonce(-10 * minuteMs)],
    ['of three windows ago', () => otherNonce(-15 * minuteMs)],
    ['of the next window', () => otherNonce(5 * minuteMs)],
    ['that was shortened', () => currentNonce().slice(0, -1)],
    ['in an array', () => [currentNonce()]],
    ['that is empty', () => ''],
  ])('is refused: %s', async (_what, nonce) => {
    await expectFault(proofWith({ nonce: nonce() }), 'nonce');
  });

  it('of the previous window is valid, and each window has its own', async () => {
    const before = currentNonce();
    expect(currentNonce()).toBe(before);
    lab.pass(5 * minuteMs);
    expect(currentNonce()).not.toBe(before);
    expect(before).toMatch(/^[\w-]{43}$/);
    await expectValid(proofWith({ nonce: before }));
    lab.pass(5 * minuteMs);
    await expectInvalid(proofWith({ nonce: before }), 'nonce');
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
    const forged = signJws(headerOf(), { ...claimsNow(), nonce: undefined }, other);
    await expectFault(forged, 'signature');
  });
});

describe('the check without Redis', () => {
  it('rejects, so nobody is admitted', async () => {
    const cut = await lab.openReplica();
    cut.redis.disconnect();
    await expect(cut.check(proofWith(), target)).rejects.toThrow();
    expect(await cut.check(proofWith({ htm: 'GET' }), target)).toEqual(invalid('htm'));
  });
});
