import { generateKeyPairSync } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshApp } from '../../../support/app.ts';
import type { Twist } from '../../../support/authenticator.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import {
  bearerOf,
  createPeople,
  handleOf,
  type Holder,
  newAuthenticator,
  type Person,
  wrongPasskey as wrong,
} from './people.ts';

type Credential = Record<string, unknown>;
type Cbor = Parameters<typeof isoCBOR.encode>[0];

/** Two replicas over the same stores; on PGlite, which can't be shared, one app is both. */
const env = {
  OTP_LIMITS: 'off',
  REDIS_URL: await testRedisUrl(),
  AUTH_SECRET: 'one secret of both replicas, long enough',
};
const app = await freshApp({ env });
const { databaseUrl } = app;
const replica = databaseUrl === undefined ? app : await freshApp({ env, databaseUrl });
await app.services.queues.start();
afterAll(() => Promise.all([...new Set([app, replica])].map((each) => each.close())), 30_000);

const people = createPeople(app);
const { addPasskey, auth, challenge, firstFactor, holder, newPerson } = people;
const { passkeyOptions, sessionsOf, signInWith, usePasskey, verifyPasskey } = people;
const onReplica = createPeople(replica);
const newPasskey = async (headers: Record<string, string>, twist: Twist = {}) =>
  newAuthenticator().create(await passkeyOptions(headers), twist);
const stored = (userId: string) =>
  app.stores.db
    .selectFrom('passkeys')
    .select(['credential_id', 'counter', 'name'])
    .where('user_id', '=', userId)
    .execute();

const responseOf = (credential: Credential) => credential.response as Record<string, string>;
const bytesOf = (text = ''): Buffer => Buffer.from(text, 'base64url');
const withResponse = (credential: Credential, members: Record<string, unknown>): Credential => ({
  ...credential,
  response: { ...responseOf(credential), ...members },
});
const encoded = (value: Cbor): string => Buffer.from(isoCBOR.encode(value)).toString('base64url');

/** Members of a COSE key or a CBOR object. */
const map = <Key extends number | string>(...members: [Key, Cbor][]) => new Map<Key, Cbor>(members);
const attestation = (fmt: string, attStmt: Cbor, authData: Uint8Array<ArrayBuffer>) =>
  bytesOf(encoded(map(['fmt', fmt], ['attStmt', attStmt], ['authData', authData])));

type Change = (credential: Credential) => Credential;
const withObject =
  (attestationObject: Buffer): Change =>
  (credential) =>
    withResponse(credential, { attestationObject: attestationObject.toString('base64url') });
const withClient =
  (text: string): Change =>
  (credential) =>
    withResponse(credential, { clientDataJSON: Buffer.from(text).toString('base64url') });

/** An attestation of format `none` is not signed, so that a client can write anything. */
const withData =
  (change: (data: Buffer) => Buffer): Change =>
  (credential) => {
    const read = isoCBOR.decodeFirst<Map<string, Uint8Array>>(
      Uint8Array.from(bytesOf(responseOf(credential).attestationObject)),
    );
    const data = Uint8Array.from(change(Buffer.from(read.get('authData') ?? [])));
    return withObject(attestation('none', new Map(), data))(credential);
  };

const [flagsAt, idLengthAt, idAt, keyAt] = [32, 53, 55, 87];
const withFlags = (change: (flags: number) => number) =>
  withData((data) => {
    data.writeUInt8(change(data.readUInt8(flagsAt)), flagsAt);
    return data;
  });
/** With another public key. */
const withKey = (key: Map<number, Cbor> | Buffer) =>
  withData((data) =>
    Buffer.concat([data.subarray(0, keyAt), Buffer.isBuffer(key) ? key : bytesOf(encoded(key))]),
  );
const some = (length: number) => new Uint8Array(length).fill(7);
const ec = (alg: Cbor, more: [number, Cbor][] = []) =>
  new Map<number, Cbor>([[1, 2], [3, alg], [-1, 1], [-2, some(32)], [-3, some(32)], ...more]);
const rsa = (alg: number, exponent = 3) =>
  map<number>([1, 3], [3, alg], [-1, some(256)], [-2, some(exponent)]);
const jwkBytes = (text: string | undefined) => Uint8Array.from(bytesOf(text));
const nested = (first: number, depth: number) =>
  Buffer.concat([Buffer.alloc(depth, first), Buffer.from([0])]);

const shapes: [string, Change][] = [
  ...[0, 1, 36, 37, 54, 55, 70, 87, 100, -1].map((end): [string, Change] => [
    `data that ends at ${end}`,
    withData((data) => data.subarray(0, end)),
  ]),
  ['data with more behind its key', withData((data) => Buffer.concat([data, Buffer.from([0])]))],
  [
    'a truncated object',
    (credential) =>
      withObject(bytesOf(responseOf(credential).attestationObject).subarray(0, 60))(credential),
  ],
  ['no flag of a credential', withFlags((flags) => flags & ~0x40)],
  ['invalid extensions', withFlags((flags) => flags | 0x80)],
  ['a copy in a cloud that it may not have', withFlags((flags) => flags | 0x10)],
  [
    'an empty id',
    withData((data) =>
      Buffer.concat([data.subarray(0, idLengthAt), Buffer.from([0, 0]), data.subarray(keyAt)]),
    ),
  ],
  [
    'an id of 65,535 bytes',
    withData((data) => {
      data.writeUInt16BE(65_535, idLengthAt);
      return data;
    }),
  ],
  [
    'a different id inside',
    withData((data) => {
      data.writeUInt8(data.readUInt8(idAt) ^ 1, idAt);
      return data;
    }),
  ],
  ['another raw id', (credential) => ({ ...credential, rawId: 'AAAA' })],
  ['a key of no algorithm', withKey(ec(0))],
  ['a key whose algorithm is a word', withKey(ec('none'))],
  [
    'a key without an algorithm',
    withKey(map<number>([1, 2], [-1, 1], [-2, some(32)], [-3, some(32)])),
  ],
  ['a key of RS1', withKey(rsa(-65_535))],
  ['a key of RS512', withKey(rsa(-259))],
  ['an HMAC key', withKey(map<number>([1, 4], [3, 5], [-1, some(32)]))],
  ['a key of ES512', withKey(ec(-36))],
  ['a key that is a number', withKey(bytesOf(encoded(7)))],
  ['a key that is not there', withKey(Buffer.alloc(0))],
  ['an RSA key that says ES256', withKey(rsa(-7))],
  ['a curve point that says RS256', withKey(ec(-257))],
  ['a point that is not on its curve', withKey(ec(-7))],
  ['a point on another curve', withKey(new Map<number, Cbor>([...ec(-7), [-1, 2]]))],
  ['an Ed25519 key of 31 bytes', withKey(map<number>([1, 1], [3, -8], [-1, 6], [-2, some(31)]))],
  ['an RSA key without a modulus', withKey(map<number>([1, 3], [3, -257], [-2, some(3)]))],
  ['a point without coordinates', withKey(map<number>([1, 2], [3, -7], [-1, 1]))],
  ['a statement beside `none`', withObject(attestation('none', map(['alg', -7]), some(200)))],
  ['an unknown format', withObject(attestation('__proto__', new Map(), some(200)))],
  ['12 KB of arrays in arrays', withObject(nested(0x81, 12_000))],
  ['12 KB of maps in maps', withObject(nested(0xa1, 12_000))],
  ['12 KB of tags', withObject(nested(0xc1, 12_000))],
  ['an array of 2^64 - 1', withObject(Buffer.from('9bffffffffffffffff00', 'hex'))],
  ['an array of 2^32 - 1', withObject(Buffer.from('9affffffff00', 'hex'))],
  ['a map of 2^32 - 1', withObject(Buffer.from('baffffffff0000', 'hex'))],
  ['bytes of 2^32 - 1', withObject(Buffer.from('5affffffff00', 'hex'))],
  ['a text without an end', withObject(Buffer.from('7f6161', 'hex'))],
  ['12 KB of 0xff', withObject(Buffer.alloc(12_000, 0xff))],
  ['a key of arrays in arrays', withKey(nested(0x81, 11_000))],
  ...[
    'null',
    '[]',
    '7',
    '{',
    '"webauthn.create"',
    '{"__proto__":{"type":"webauthn.create"}}',
    `${'['.repeat(6000)}${']'.repeat(6000)}`,
    '\ufeff{}',
    '\0',
  ].map((text): [string, Change] => [
    `client data ${JSON.stringify(text.slice(0, 40))}`,
    withClient(text),
  ]),
];

const origins = [
  'https://evil.example',
  'http://localhost:3001',
  'http://localhost',
  'https://localhost:3000',
  'http://evil.localhost:3000',
  'http://localhost.:3000',
  'http://localhost:3000/',
  'http://localhost:3000.evil.example',
  'HTTP://LOCALHOST:3000',
  'http://user@localhost:3000',
  'http://127.0.0.1:3000',
  'android:apk-key-hash:AAAA',
  'null',
  '',
];
const twists: [string, Twist][] = [
  ...origins.map((from): [string, Twist] => [
    `the origin ${JSON.stringify(from)}`,
    { origin: from },
  ]),
  ...[
    'evil.example',
    '',
    'LOCALHOST',
    'evil.localhost',
    'localhost:3000',
    'http://localhost:3000',
  ].map((rpId): [string, Twist] => [`the host ${JSON.stringify(rpId)}`, { rpId }]),
  ...['', 'WEBAUTHN.CREATE', 'webauthn.create ', 'webauthn.get ', 'payment.get'].map(
    (type): [string, Twist] => [`the type ${JSON.stringify(type)}`, { type }],
  ),
  ['a frame of another site around the page', { crossOrigin: true }],
  ['a forged challenge', { challenge: 'A'.repeat(43) }],
  ['no user presence', { isPresent: false }],
];

describe('a new passkey is not stored', () => {
  let person: Person;
  beforeAll(async () => {
    person = await newPerson();
  });
  // A wrongly accepted passkey must not affect the next cases.
  afterEach(() =>
    app.stores.db.deleteFrom('passkeys').where('user_id', '=', person.userId).execute(),
  );

  it.each(shapes)('with %s', async (_name, change) => {
    const credential = await newPasskey(person.bearer);
    expect(await addPasskey(change(credential), person.bearer)).toMatchObject(wrong);
    expect(await stored(person.userId)).toEqual([]);
  });

  it.each<[string, Twist]>([
    ...twists,
    ['the data of a sign-in', { type: 'webauthn.get' }],
    ['an unrequested certificate', { statement: 'certificate' }],
  ])('with %s', async (_name, twist) => {
    const credential = await newPasskey(person.bearer, twist);
    expect(await addPasskey(credential, person.bearer)).toMatchObject(wrong);
    expect(await stored(person.userId)).toEqual([]);
  });

  it('with an oversized id, member or body', async () => {
    const good = await newPasskey(person.bearer);
    for (const credential of [
      { ...good, id: 'A'.repeat(1365) },
      { ...good, rawId: 'A'.repeat(1365) },
      { ...good, type: 'webauthn.create' },
      withResponse(good, { attestationObject: 'A'.repeat(16_385) }),
      withResponse(good, { transports: Array.from({ length: 17 }, () => 'usb') }),
      withResponse(good, { clientDataJSON: '' }),
    ])
      expect(await addPasskey(credential, person.bearer)).toMatchObject({ status: 422 });
    const huge = { ...good, id: 'A'.repeat(65_536) };
    expect(await addPasskey(huge, person.bearer)).toMatchObject({ status: 413 });
    expect(await stored(person.userId)).toEqual([]);
  });
});

describe('a new passkey is stored', () => {
  it('with a key of Ed25519', async () => {
    const { bearer } = await newPerson();
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const key = map<number>([1, 1], [3, -8], [-1, 6], [-2, jwkBytes(x)]);
    const credential = withKey(key)(await newPasskey(bearer));
    expect(await addPasskey(credential, bearer)).toMatchObject({ status: 201 });
  });

  it('with a key of RSA', async () => {
    const { bearer } = await newPerson();
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n, e } = publicKey.export({ format: 'jwk' });
    const key = map<number>([1, 3], [3, -257], [-1, jwkBytes(n)], [-2, jwkBytes(e)]);
    const credential = withKey(key)(await newPasskey(bearer));
    expect(await addPasskey(credential, bearer)).toMatchObject({ status: 201 });
  });

  it('without its unknown members', async () => {
    const { bearer, userId } = await newPerson();
    const key = newAuthenticator();
    const good = key.create(await passkeyOptions(bearer));
    const more = {
      ...withResponse(good, { publicKey: 'AAAA', publicKeyAlgorithm: -65_535, counter: 9 }),
      user_id: 'somebody',
      name: 'not a name',
      clientExtensionResults: { credProps: { rk: 'yes' } },
    };
    expect(await addPasskey(more, bearer)).toMatchObject({ status: 201 });
    expect(await stored(userId)).toMatchObject([{ credential_id: key.credentialId, counter: 1 }]);
  });
});

describe('a challenge', () => {
  it('creates one passkey of ten sent concurrently to two replicas', async () => {
    const { bearer, userId } = await newPerson();
    const options = await passkeyOptions(bearer);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => {
        const { addPasskey: add } = at % 2 === 0 ? people : onReplica;
        return add(newAuthenticator().create(options), bearer);
      }),
    );
    // Once it is stored, the others lack the second factor that the user now has.
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of responses) expect([201, 400, 401]).toContain(status);
    expect(await stored(userId)).toHaveLength(1);
  });

  it('works only for what it was issued for: a sign-in or a new passkey', async () => {
    const person = await holder();
    const { key, userId, email } = person;
    const strong = bearerOf(await signInWith(person));
    const due = await firstFactor(email);
    const forSignIn = await challenge(due);
    const forNew = await passkeyOptions(strong);
    const before = await sessionsOf(userId);
    const create = (changes: object) =>
      addPasskey(newAuthenticator().create({ ...forNew, ...changes }), strong);
    const use = (changes: object) => verifyPasskey(due, key.get({ ...forSignIn, ...changes }));
    expect(await create({ challenge: forSignIn.challenge })).toMatchObject(wrong);
    expect(await use({ challenge: forNew.challenge })).toMatchObject(wrong);
    // The wrong use has used up each challenge.
    expect(await create({})).toMatchObject(wrong);
    expect(await use({})).toMatchObject(wrong);
    const [first, ...others] = await stored(userId);
    expect(first?.credential_id).toBe(key.credentialId);
    expect(others).toEqual([]);
    expect(await sessionsOf(userId)).toBe(before);
  });

  it("of a device's approval completes no sign-in", async () => {
    const person = await holder();
    const strong = bearerOf(await signInWith(person));
    const forDevice = await auth(strong).post('/blackops/passkey/options', {});
    expect(forDevice).toMatchObject({ status: 200 });
    const due = await firstFactor(person.email);
    const options = { ...(await challenge(due)), challenge: forDevice.body.challenge };
    expect(await verifyPasskey(due, person.key.get(options))).toMatchObject(wrong);
  });

  it('is invalid when its passkey was removed meanwhile', async () => {
    const person = await holder();
    const { key, userId, email, passkeyId } = person;
    const open = await firstFactor(email);
    const credential = key.get(await challenge(open), { counter: 50 });
    const strong = bearerOf(await signInWith(person));
    expect(await auth(strong).delete(`/2fa/passkeys/${passkeyId}`)).toMatchObject({ status: 200 });
    const before = await sessionsOf(userId);
    expect(await onReplica.verifyPasskey(open, credential)).toMatchObject(wrong);
    expect(await sessionsOf(userId)).toBe(before);
    expect(await stored(userId)).toEqual([]);
  });

  it('for a new passkey is invalid after all sessions were ended', async () => {
    const { bearer, userId } = await newPerson();
    const credential = await newPasskey(bearer);
    expect(await auth(bearer).delete('/sessions')).toMatchObject({ status: 200 });
    expect(await onReplica.addPasskey(credential, bearer)).toMatchObject({ status: 401 });
    expect(await stored(userId)).toEqual([]);
  });

  it('for a sign-in is invalid after all sessions were ended', async () => {
    const { key, email, bearer, userId } = await holder();
    const due = await firstFactor(email);
    const credential = key.get(await challenge(due));
    expect(await auth(bearer).delete('/sessions')).toMatchObject({ status: 200 });
    const refused = await onReplica.verifyPasskey(due, credential);
    expect(refused).toBeProblem(401, 'auth.revoked_meanwhile');
    expect(await sessionsOf(userId)).toBe(0);
  });
});

describe('a sign-in is not completed', () => {
  let person: Holder;
  beforeAll(async () => {
    person = await holder();
  });

  /** Expects a refusal, and clears the failures, so that they don't add up to a lock. */
  async function expectRefused(
    credentialFor: (options: Record<string, unknown>) => Credential,
  ): Promise<void> {
    const due = await firstFactor(person.email);
    const before = await sessionsOf(person.userId);
    const credential = credentialFor(await challenge(due));
    expect(await verifyPasskey(due, credential)).toMatchObject({ status: 400 });
    expect(await sessionsOf(person.userId)).toBe(before);
    expect(await usePasskey(due, person.key)).toMatchObject({ status: 200 });
  }

  it.each<[string, Twist]>([
    ...twists,
    ['the data of a registration', { type: 'webauthn.create' }],
    ['a forged signature', { isForged: true }],
    ['a claim to be synced, of a key that is bound to its device', { isBackedUp: true }],
    ['the handle of an unknown user', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('with %s', (_name, twist) => expectRefused((options) => person.key.get(options, twist)));

  const extended = (data: Buffer) => Buffer.concat([data.fill(0x81, 32, 33), nested(0x81, 12_000)]);
  it.each<[string, string, (before: Buffer) => Buffer]>([
    ['truncated data', 'authenticatorData', (data) => data.subarray(0, 36)],
    ['trailing data', 'authenticatorData', (data) => Buffer.concat([data, Buffer.from([0])])],
    ['12 KB of extensions', 'authenticatorData', extended],
    ['a signature of zeros', 'signature', () => Buffer.from('3006020100020100', 'hex')],
    ['a signature that is not DER', 'signature', () => Buffer.alloc(64, 0x30)],
    ['client data that is null', 'clientDataJSON', () => Buffer.from('null')],
  ])('with %s', (_name, member, change) =>
    expectRefused((options) => {
      const credential = person.key.get(options);
      const changed = change(bytesOf(responseOf(credential)[member]));
      return withResponse(credential, { [member]: changed.toString('base64url') });
    }),
  );

  it('with the user handle of another passkey owner', async () => {
    const userHandle = handleOf((await holder()).userId);
    await expectRefused((options) => person.key.get(options, { userHandle }));
  });
});

describe('a counter', () => {
  it('is accepted once, also by two replicas concurrently', async () => {
    const { email, key, userId } = await holder({}, { counter: 0 });
    const one = await firstFactor(email);
    const other = await firstFactor(email);
    const ofOne = key.get(await challenge(one), { counter: 7 });
    const ofOther = key.get(await challenge(other), { counter: 7 });
    const responses = await Promise.all([
      verifyPasskey(one, ofOne),
      onReplica.verifyPasskey(other, ofOther),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await stored(userId)).toMatchObject([{ counter: 7 }]);
  });

  it('works up to its last value and does not wrap around', async () => {
    const most = 2 ** 32 - 1;
    const { email, key, userId } = await holder({}, { counter: most - 1 });
    const first = await firstFactor(email);
    expect(await usePasskey(first, key, { counter: most })).toMatchObject({ status: 200 });
    const due = await firstFactor(email);
    for (const counter of [0, 1, most])
      expect(await usePasskey(due, key, { counter })).toMatchObject(wrong);
    expect(await stored(userId)).toMatchObject([{ counter: most }]);
  });
});

describe('a passkey', () => {
  it('signs in without user verification, which is only preferred', async () => {
    const { email, key } = await holder();
    const due = await firstFactor(email);
    expect(await usePasskey(due, key, { isVerified: false })).toMatchObject({ status: 200 });
  });

  it('has caused no server error in all of this', () => {
    for (const { log } of [app, replica]) expect(log()).not.toContain('"level":"error"');
  });
});
