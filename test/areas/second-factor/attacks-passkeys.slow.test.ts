import { generateKeyPairSync } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Twist,
} from '../../support/authenticator.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { type Answer, codeFor, post, type SignedIn, openBearer } from '../../support/sign-in.ts';

type Headers = Record<string, string>;
type Credential = Record<string, unknown>;
type Cbor = Parameters<typeof isoCBOR.encode>[0];

const origin = 'http://localhost:3000';
const wrong = { status: 400, body: { code: 'otp.invalid', detail: 'Invalid or expired code' } };
/** Two replicas over the same stores; on PGlite, which can't be shared, one app is both. */
let apps: [FreshApp, FreshApp];
let app: FreshApp;

beforeAll(async () => {
  const env = {
    OTP_LIMITS: 'off',
    REDIS_URL: await testRedisUrl(),
    AUTH_SECRET: 'one secret of both replicas, long enough',
  };
  app = await freshApp({ env });
  apps = [
    app,
    app.databaseUrl === undefined ? app : await freshApp({ env, databaseUrl: app.databaseUrl }),
  ];
  await app.services.queues.start();
}, 60_000);
afterAll(() => Promise.all([...new Set(apps)].map((each) => each.close())), 30_000);

/** Alternates between the replicas. */
const turn = (at: number): FreshApp => apps[at % 2] ?? app;
const optionsFor = async (headers: Headers) =>
  (await post(app, '/api/auth/2fa/passkeys/options', {}, headers)).body;
const add = (credential: unknown, headers: Headers, at = 0) =>
  post(turn(at), '/api/auth/2fa/passkeys', { credential }, headers);
const challengeOf = async (due: Record<string, unknown>) =>
  (await post(app, '/api/auth/2fa/passkeys/challenge', { mfa_token: due.mfa_token })).body;
const verify = (due: Record<string, unknown>, credential: unknown, at = 0) =>
  post(turn(at), '/api/auth/2fa/passkeys/verify', { mfa_token: due.mfa_token, credential });
const bearerOf = ({ body }: Answer): Headers => ({
  authorization: `Bearer ${String(body.access_token)}`,
});
const stored = (userId: string) =>
  app.stores.db
    .selectFrom('passkeys')
    .select(['credential_id', 'counter', 'name'])
    .where('user_id', '=', userId)
    .execute();
const sessionsOf = async (userId: string) => (await app.services.sessions.list(userId)).length;

interface Holder extends SignedIn {
  email: string;
  key: Authenticator;
  passkeyId: string;
}

let people = 0;
const newEmail = () => `attacked-${people++}@example.com`;
const newPerson = () => openBearer(app, newEmail());

async function holder(
  traits: Partial<AuthenticatorOptions> = {},
  twist: Twist = {},
): Promise<Holder> {
  const email = newEmail();
  const person = await openBearer(app, email);
  const key = createAuthenticator({ origin, ...traits });
  const added = await add(key.create(await optionsFor(person.bearer), twist), person.bearer);
  expect(added).toMatchObject({ status: 201 });
  return { ...person, email, key, passkeyId: String(added.body.id) };
}

/** Signs in with a code by email, up to the second factor. */
async function firstFactor(email: string): Promise<Record<string, unknown>> {
  const after = app.services.outbox.list(email).length;
  await post(app, '/api/auth/email/initiate', { email });
  return (
    await post(app, '/api/auth/otp/verify', { email, code: await codeFor(app, email, { after }) })
  ).body;
}

const responseOf = (credential: Credential) => credential.response as Record<string, string>;
const bytesOf = (text = ''): Buffer => Buffer.from(text, 'base64url');
const withResponse = (credential: Credential, members: Record<string, unknown>): Credential => ({
  ...credential,
  response: { ...responseOf(credential), ...members },
});
const encoded = (value: Cbor): string => Buffer.from(isoCBOR.encode(value)).toString('base64url');

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
    return withObject(
      bytesOf(
        encoded(
          new Map<string, Cbor>([
            ['fmt', 'none'],
            ['attStmt', new Map()],
            ['authData', data],
          ]),
        ),
      ),
    )(credential);
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
  new Map<number, Cbor>([
    [1, 3],
    [3, alg],
    [-1, some(256)],
    [-2, some(exponent)],
  ]);
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
  ['extensions that are none', withFlags((flags) => flags | 0x80)],
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
    withKey(
      new Map<number, Cbor>([
        [1, 2],
        [-1, 1],
        [-2, some(32)],
        [-3, some(32)],
      ]),
    ),
  ],
  ['a key of RS1', withKey(rsa(-65_535))],
  ['a key of RS512', withKey(rsa(-259))],
  [
    'an HMAC key',
    withKey(
      new Map<number, Cbor>([
        [1, 4],
        [3, 5],
        [-1, some(32)],
      ]),
    ),
  ],
  ['a key of ES512', withKey(ec(-36))],
  ['a key that is a number', withKey(bytesOf(encoded(7)))],
  ['a key that is not there', withKey(Buffer.alloc(0))],
  ['an RSA key that says ES256', withKey(rsa(-7))],
  ['a curve point that says RS256', withKey(ec(-257))],
  ['a point that is not on its curve', withKey(ec(-7))],
  ['a point on another curve', withKey(new Map<number, Cbor>([...ec(-7), [-1, 2]]))],
  [
    'an Ed25519 key of 31 bytes',
    withKey(
      new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, some(31)],
      ]),
    ),
  ],
  [
    'an RSA key without a modulus',
    withKey(
      new Map<number, Cbor>([
        [1, 3],
        [3, -257],
        [-2, some(3)],
      ]),
    ),
  ],
  [
    'a point without coordinates',
    withKey(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
      ]),
    ),
  ],
  [
    'a statement beside `none`',
    withObject(
      bytesOf(
        encoded(
          new Map<string, Cbor>([
            ['fmt', 'none'],
            ['attStmt', new Map([['alg', -7]])],
            ['authData', some(200)],
          ]),
        ),
      ),
    ),
  ],
  [
    'an unknown format',
    withObject(
      bytesOf(
        encoded(
          new Map<string, Cbor>([
            ['fmt', '__proto__'],
            ['attStmt', new Map()],
            ['authData', some(200)],
          ]),
        ),
      ),
    ),
  ],
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
  ...['', 'LOCALHOST', 'evil.localhost', 'localhost:3000', 'http://localhost:3000'].map(
    (rpId): [string, Twist] => [`the host ${JSON.stringify(rpId)}`, { rpId }],
  ),
  ...['', 'WEBAUTHN.CREATE', 'webauthn.create ', 'webauthn.get ', 'payment.get'].map(
    (type): [string, Twist] => [`the type ${JSON.stringify(type)}`, { type }],
  ),
];

describe('refuses to store a new passkey with', () => {
  let person: SignedIn;
  beforeAll(async () => {
    person = await newPerson();
  });
  // A wrongly accepted passkey must not affect the next cases.
  afterEach(() =>
    app.stores.db.deleteFrom('passkeys').where('user_id', '=', person.userId).execute(),
  );

  it.each<[string, Change, Twist]>([
    ...shapes.map(([name, change]): [string, Change, Twist] => [name, change, {}]),
    ...twists.map(([name, twist]): [string, Change, Twist] => [
      name,
      (credential) => credential,
      twist,
    ]),
  ])('%s', async (_name, change, twist) => {
    const credential = createAuthenticator({ origin }).create(
      await optionsFor(person.bearer),
      twist,
    );
    expect(await add(change(credential), person.bearer)).toMatchObject(wrong);
    expect(await stored(person.userId)).toEqual([]);
  });

  it('an oversized id, member or body', async () => {
    const good = createAuthenticator({ origin }).create(await optionsFor(person.bearer));
    for (const members of [
      { id: 'A'.repeat(1365) },
      { rawId: 'A'.repeat(1365) },
      { type: 'webauthn.create' },
      { response: { ...responseOf(good), attestationObject: 'A'.repeat(16_385) } },
      { response: { ...responseOf(good), transports: Array.from({ length: 17 }, () => 'usb') } },
    ]) {
      expect(await add({ ...good, ...members }, person.bearer)).toMatchObject({ status: 422 });
    }
    expect(await add(withResponse(good, { clientDataJSON: '' }), person.bearer)).toMatchObject({
      status: 422,
    });
    expect(await add({ ...good, id: 'A'.repeat(65_536) }, person.bearer)).toMatchObject({
      status: 413,
    });
    expect(await stored(person.userId)).toEqual([]);
  });
});

it.each<[string, () => Map<number, Cbor>]>([
  [
    'Ed25519',
    () =>
      new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, jwkBytes(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x)],
      ]),
  ],
  [
    'RSA',
    () => {
      const { n, e } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
        format: 'jwk',
      });
      return new Map<number, Cbor>([
        [1, 3],
        [3, -257],
        [-1, jwkBytes(n)],
        [-2, jwkBytes(e)],
      ]);
    },
  ],
])('a key of %s is accepted', async (_name, key) => {
  const { bearer } = await newPerson();
  expect(
    await add(
      withKey(key())(createAuthenticator({ origin }).create(await optionsFor(bearer))),
      bearer,
    ),
  ).toMatchObject({ status: 201 });
});

it('ignores unknown members', async () => {
  const { bearer, userId } = await newPerson();
  const key = createAuthenticator({ origin });
  const good = key.create(await optionsFor(bearer));
  const more = {
    ...withResponse(good, { publicKey: 'AAAA', publicKeyAlgorithm: -65_535, counter: 9 }),
    user_id: 'somebody',
    name: 'not a name',
    clientExtensionResults: { credProps: { rk: 'yes' } },
  };
  expect(await add(more, bearer)).toMatchObject({ status: 201 });
  expect(await stored(userId)).toMatchObject([{ credential_id: key.credentialId, counter: 1 }]);
});

describe('a challenge', () => {
  it('creates one passkey of ten sent concurrently to two replicas', async () => {
    const { bearer, userId } = await newPerson();
    const options = await optionsFor(bearer);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        add(createAuthenticator({ origin }).create(options), bearer, at),
      ),
    );
    // Once it is stored, the others lack the second factor that the user now has.
    expect(responses.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(
      1,
    );
    expect(responses.filter(({ status }) => ![201, 400, 401].includes(status))).toEqual([]);
    expect(await stored(userId)).toHaveLength(1);
  });

  it('works only for what it was issued for: a sign-in or a new passkey', async () => {
    const person = await holder();
    const due = await firstFactor(person.email);
    const strong = bearerOf(await verify(due, person.key.get(await challengeOf(due))));
    const next = await firstFactor(person.email);
    const [forSignIn, forNew] = [await challengeOf(next), await optionsFor(strong)];
    const before = await sessionsOf(person.userId);
    expect(
      await add(
        createAuthenticator({ origin }).create({ ...forNew, challenge: forSignIn.challenge }),
        strong,
      ),
    ).toMatchObject(wrong);
    expect(
      await verify(next, person.key.get({ ...forSignIn, challenge: forNew.challenge })),
    ).toMatchObject(wrong);
    // The wrong use has used up each challenge.
    expect(await add(createAuthenticator({ origin }).create(forNew), strong)).toMatchObject(wrong);
    expect(await verify(next, person.key.get(forSignIn))).toMatchObject(wrong);
    expect({
      stored: await stored(person.userId),
      sessions: await sessionsOf(person.userId),
    }).toEqual({
      stored: [expect.objectContaining({ credential_id: person.key.credentialId })],
      sessions: before,
    });
  });

  it("of a device's clearance completes no sign-in", async () => {
    const person = await holder();
    const due = await firstFactor(person.email);
    const strong = bearerOf(await verify(due, person.key.get(await challengeOf(due))));
    const forDevice = await post(app, '/api/auth/blackops/passkey/options', {}, strong);
    expect(forDevice).toMatchObject({ status: 200 });
    const next = await firstFactor(person.email);
    const own = await challengeOf(next);
    expect(
      await verify(next, person.key.get({ ...own, challenge: forDevice.body.challenge })),
    ).toMatchObject(wrong);
  });

  it('is invalid when its passkey was removed meanwhile', async () => {
    const person = await holder();
    const second = await firstFactor(person.email);
    const due = await firstFactor(person.email);
    const open = person.key.get(await challengeOf(second), { counter: 50 });
    const strong = bearerOf(await verify(due, person.key.get(await challengeOf(due))));
    const removed = await app.http.inject({
      method: 'DELETE',
      url: `/api/auth/2fa/passkeys/${person.passkeyId}`,
      headers: strong,
    });
    expect(removed.statusCode).toBe(200);
    const before = await sessionsOf(person.userId);
    expect(await verify(second, open, 1)).toMatchObject(wrong);
    expect({
      sessions: await sessionsOf(person.userId),
      stored: await stored(person.userId),
    }).toEqual({ sessions: before, stored: [] });
  });

  it('is invalid after all sessions were ended', async () => {
    const person = await holder();
    const fresh = await newPerson();
    const forNew = createAuthenticator({ origin }).create(await optionsFor(fresh.bearer));
    expect(
      (
        await app.http.inject({
          method: 'DELETE',
          url: '/api/auth/sessions',
          headers: fresh.bearer,
        })
      ).statusCode,
    ).toBe(200);
    expect(await add(forNew, fresh.bearer, 1)).toMatchObject({ status: 401 });
    expect(await stored(fresh.userId)).toEqual([]);

    const due = await firstFactor(person.email);
    const open = person.key.get(await challengeOf(due));
    expect(
      (
        await app.http.inject({
          method: 'DELETE',
          url: '/api/auth/sessions',
          headers: person.bearer,
        })
      ).statusCode,
    ).toBe(200);
    expect(await verify(due, open, 1)).toMatchObject({
      status: 401,
      body: { code: 'auth.revoked_meanwhile' },
    });
    expect(await sessionsOf(person.userId)).toBe(0);
  });
});

describe('a sign-in is not completed', () => {
  let person: Holder;
  beforeAll(async () => {
    person = await holder();
  });

  /** Expects a refusal, and clears the failures, so that they don't add up to a lock. */
  async function refused(
    credentialFor: (options: Record<string, unknown>) => Credential,
    status = 400,
  ): Promise<void> {
    const due = await firstFactor(person.email);
    const before = await sessionsOf(person.userId);
    expect(await verify(due, credentialFor(await challengeOf(due)))).toMatchObject({ status });
    expect(await sessionsOf(person.userId)).toBe(before);
    expect(await verify(due, person.key.get(await challengeOf(due)))).toMatchObject({
      status: 200,
    });
  }

  it.each(twists)('with %s', (_name, twist) =>
    refused((options) => person.key.get(options, twist)),
  );

  it.each<[string, (response: Record<string, string>) => Record<string, unknown>]>([
    [
      'truncated data',
      ({ authenticatorData }) => ({
        authenticatorData: bytesOf(authenticatorData).subarray(0, 36).toString('base64url'),
      }),
    ],
    [
      'trailing data',
      ({ authenticatorData }) => ({
        authenticatorData: Buffer.concat([bytesOf(authenticatorData), Buffer.from([0])]).toString(
          'base64url',
        ),
      }),
    ],
    [
      '12 KB of extensions',
      ({ authenticatorData }) => ({
        authenticatorData: Buffer.concat([
          bytesOf(authenticatorData).fill(0x81, 32, 33),
          nested(0x81, 12_000),
        ]).toString('base64url'),
      }),
    ],
    [
      'a signature of zeros',
      () => ({ signature: Buffer.from('3006020100020100', 'hex').toString('base64url') }),
    ],
    [
      'a signature that is not DER',
      () => ({ signature: Buffer.alloc(64, 0x30).toString('base64url') }),
    ],
    [
      'client data that is null',
      () => ({ clientDataJSON: Buffer.from('null').toString('base64url') }),
    ],
  ])('with %s', (_name, change) =>
    refused((options) => {
      const credential = person.key.get(options);
      return withResponse(credential, change(responseOf(credential)));
    }),
  );

  it('with the user handle of another passkey owner', async () => {
    const other = await holder();
    await refused((options) =>
      person.key.get(options, {
        userHandle: Buffer.from(other.userId.replaceAll('-', ''), 'hex').toString('base64url'),
      }),
    );
  });
});

describe('a counter', () => {
  it('is accepted once, also by two replicas concurrently', async () => {
    const person = await holder({}, { counter: 0 });
    const dues = [await firstFactor(person.email), await firstFactor(person.email)];
    const shown = [];
    for (const due of dues)
      shown.push({ due, credential: person.key.get(await challengeOf(due), { counter: 7 }) });
    const responses = await Promise.all(
      shown.map(({ due, credential }, at) => verify(due, credential, at)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await stored(person.userId)).toMatchObject([{ counter: 7 }]);
  });

  it('works up to its last value and does not wrap around', async () => {
    const most = 2 ** 32 - 1;
    const person = await holder({}, { counter: most - 1 });
    const due = await firstFactor(person.email);
    expect(
      await verify(due, person.key.get(await challengeOf(due), { counter: most })),
    ).toMatchObject({ status: 200 });
    const next = await firstFactor(person.email);
    for (const counter of [0, 1, most])
      expect(
        await verify(next, person.key.get(await challengeOf(next), { counter })),
      ).toMatchObject(wrong);
    expect(await stored(person.userId)).toMatchObject([{ counter: most }]);
  });
});

it('signs in without user verification, which is only preferred', async () => {
  const person = await holder();
  const due = await firstFactor(person.email);
  expect(
    await verify(due, person.key.get(await challengeOf(due), { isVerified: false })),
  ).toMatchObject({ status: 200 });
});

it('none of this caused a server error', () => {
  for (const each of apps)
    expect(
      each
        .log()
        .split('\n')
        .filter((line) => line.includes('"level":"error"')),
    ).toEqual([]);
});
