import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { rounds } from '../../../support/rounds.ts';
import {
  bytesOf,
  curveOrder,
  ecPair,
  encode,
  headerOf,
  type Json,
  jwkOf,
  other,
  own,
  signatureOf,
  signJws,
  useProofs,
} from './proof-signing.ts';

const lab = await useProofs();
const { check, claimsNow, proofWith } = lab;
const { expectFault, expectInvalid, expectMalformed, expectValid } = lab;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/**
 * Returns another encoding of the same bytes: unless their number is a multiple of three, the last
 * bits are unused.
 */
const otherEncoding = (text: string): string =>
  text.slice(0, -1) + letters.charAt(letters.indexOf(text.slice(-1)) + 1);

describe('the algorithm of a proof', () => {
  const unsigned = (alg: string) => `${encode({ ...headerOf(), alg })}.${encode(claimsNow())}`;

  it.each(['none', 'None', 'NONE', ''])(
    '"%s" is refused, with or without a signature',
    async (alg) => {
      const input = unsigned(alg);
      await expectMalformed(`${input}.`, `${input}.AA`, proofWith({}, { alg }));
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
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
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

describe('the key of a proof', () => {
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

describe('the signature of a proof', () => {
  const withSignature = (change: (signature: Buffer) => Buffer): string => {
    const [header = '', payload = '', signature = ''] = proofWith().split('.');
    return `${header}.${payload}.${change(bytesOf(signature)).toString('base64url')}`;
  };

  it('by another key than that of the header is refused', async () => {
    await expectFault(signJws(headerOf(), claimsNow(), other), 'signature');
  });

  it('is refused with any one byte changed', async () => {
    for (let place = 0; place < 64; place += 1) {
      const changed = withSignature((signature) => {
        signature[place]! ^= 1;
        return signature;
      });
      await expectFault(changed, 'signature');
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
    const input = proofWith().replace(/\.[^.]*$/, '');
    const signature = sign('sha256', Buffer.from(input), own.privateKey).toString('base64url');
    await expectFault(`${input}.${signature}`, 'signature');
  });

  it('of other claims is refused', async () => {
    const changed = proofWith().replace(/\.[^.]+\./, `.${encode(claimsNow())}.`);
    await expectFault(changed, 'signature');
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
    ['8193 characters', (proof) => proof.replace('.', `${'A'.repeat(8193)}.`)],
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
    await expectValid(largest);
  });

  it('is refused in any other encoding of the same bytes', async () => {
    const proof = proofWith();
    const signature = proof.replace(/.*\./, '');
    expect(bytesOf(otherEncoding(signature))).toEqual(bytesOf(signature));
    await expectMalformed(otherEncoding(proof));
  });
});

describe('the header of a proof', () => {
  it.each<Json>([
    { typ: 'JWT' },
    { typ: 'DPOP+JWT' },
    { typ: 'application/dpop+jwt' },
    { typ: ['dpop+jwt'] },
    { typ: undefined },
    { crit: ['http://example.com/x'], 'http://example.com/x': 1 },
    { crit: ['b64'], b64: false },
    { crit: [] },
    { crit: null },
  ])('is refused with %j', async (header) => {
    await expectMalformed(proofWith({}, header));
  });

  it('never causes a fetch of a URL in it', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const at = 'http://127.0.0.1:9/keys';
    const named = { jku: at, x5u: at, kid: at, x5c: ['MIIB'] };
    await expectValid(proofWith({}, named));
    await lab.redis.flushdb();
    await expectMalformed(proofWith({}, { ...named, jwk: undefined }));
    expect(fetched).not.toHaveBeenCalled();
  });

  const prototype = '{"__proto__":{"typ":"dpop+jwt","alg":"ES256"}}';
  it.each(['null', '1', '"x"', '[]', ' ', '{', '{}', '\ufeff{}', prototype])(
    'is refused when it is %s',
    async (header) => {
      await expectMalformed(signJws(header, claimsNow()));
    },
  );
});

describe('the claims of a proof', () => {
  const deep = `${'['.repeat(2500)}${']'.repeat(2500)}`;
  it.each(['null', '1', '"x"', '[]', '{', '{}', '['.repeat(5000), deep])(
    'are refused when they are %.20s',
    async (claims) => {
      await expectMalformed(signJws(headerOf(), claims));
    },
  );

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
    await expectMalformed(`${input}.${signatureOf(input)}`);
  });

  it('are not read from the prototype', async () => {
    const { htm: _htm, ...others } = claimsNow();
    const claims = JSON.stringify(others).replace('{', '{"__proto__":{"htm":"POST"},');
    await expectFault(signJws(headerOf(), claims), 'htm');
  });
});

describe('a repeated member of a proof', () => {
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

describe('a manipulated proof', () => {
  const edit = fc.record({
    kind: fc.constantFrom('replace', 'insert', 'remove', 'double'),
    where: fc.nat(),
    what: fc.constantFrom(...`${letters}.=+/ \n,"é`),
  });
  type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

  const edited = (text: string, { kind, where, what }: Edit): string => {
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
    expect(await lab.redis.dbsize()).toBe(0);
    await expectValid(proof);
  });

  it('is never valid with one bit flipped', async () => {
    const parts = proofWith().split('.').map(bytesOf);
    const joined = () => parts.map((part) => part.toString('base64url')).join('.');
    for (const part of parts) {
      for (let bit = 0; bit < part.length * 8; bit += rounds(5, 1)) {
        part[bit >> 3]! ^= 1 << (bit & 7);
        expect((await check(joined())).isValid).toBe(false);
        part[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
    expect(await lab.redis.dbsize()).toBe(0);
    await expectValid(joined());
  });

  it('never makes the check throw, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.tuple(fc.json(), fc.json()).map(([header, claims]) => signJws(header, claims)),
        ),
        (text) => expectInvalid(text, 'malformed'),
      ),
      { numRuns: rounds(100, 300) },
    );
  });
});
