import { base64url, type JWTPayload, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { type FakeProvider, type Forge, startFakeProvider } from './fake-provider.ts';
import { begin, end, signInAs } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';
import { client } from './real-provider.ts';

let provider: FakeProvider;
let app: FreshApp;
beforeAll(async () => {
  provider = await startFakeProvider();
  app = await freshApp({
    env: {
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: client.id,
      IDP_CLIENT_SECRET: client.secret,
    },
  });
}, 60_000);
afterEach(() => {
  provider.scene.forge = provider.sign;
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

const now = () => Math.floor(Date.now() / 1000);
/** Properly signed, with other claims. */
const claiming =
  (change: (claims: JWTPayload) => JWTPayload): Forge =>
  ({ claims, issuer }) =>
    provider.sign({ claims: change(claims), issuer });

function signedByText(claims: object, key: string): string {
  const [header, payload] = [{ alg: 'HS256', kid: 'key-1', typ: 'JWT' }, claims].map((part) =>
    base64url.encode(JSON.stringify(part)),
  );
  return `${header}.${payload}.${createHmac('sha256', key)
    .update(`${header}.${payload}`)
    .digest('base64url')}`;
}

const forgeries: Record<string, Forge> = {
  'no algorithm': async ({ claims }) => new UnsecuredJWT(claims).encode(),
  'no algorithm, in capitals': async ({ claims }) =>
    `${base64url.encode('{"alg":"NONE"}')}.${base64url.encode(JSON.stringify(claims))}.`,
  'HS256 with the public key as its secret': async ({ claims }) =>
    signedByText(claims, provider.publicPem),
  'HS256 with the public JWK as its secret': async ({ claims }) =>
    signedByText(claims, JSON.stringify(provider.publicJwk)),
  'HS256 with the client secret': async ({ claims }) => signedByText(claims, client.secret),
  'another key': async ({ claims }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
      .sign((await generateKeyPair('RS256')).privateKey),
  'an unknown key id': async ({ claims }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'key-2' })
      .sign((await generateKeyPair('RS256')).privateKey),
  'a key of its own in the header': async ({ claims }) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const { exportJWK } = await import('jose');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
      .sign(privateKey);
  },
  'a changed payload': async (proper) => {
    const [header, , signature] = (await provider.sign(proper)).split('.');
    return `${header}.${base64url.encode(
      JSON.stringify({ ...proper.claims, sub: 'somebody-else' }),
    )}.${signature}`;
  },
  'another audience': claiming((claims) => ({ ...claims, aud: 'somebody-else' })),
  'no audience': claiming(({ aud: _aud, ...claims }) => claims),
  'two audiences and no authorized party': claiming((claims) => ({
    ...claims,
    aud: [client.id, 'somebody-else'],
  })),
  'another authorized party': claiming((claims) => ({ ...claims, azp: 'somebody-else' })),
  'another issuer': claiming((claims) => ({ ...claims, iss: 'https://evil.test' })),
  'the issuer with a slash': claiming((claims) => ({ ...claims, iss: `${String(claims.iss)}/` })),
  'another nonce': claiming((claims) => ({ ...claims, nonce: 'A'.repeat(43) })),
  'no nonce': claiming(({ nonce: _nonce, ...claims }) => claims),
  'a nonce that is a list': claiming((claims) => ({ ...claims, nonce: [claims.nonce] })),
  'a time that is over': claiming((claims) => ({ ...claims, exp: now() - 60 })),
  'no end': claiming(({ exp: _exp, ...claims }) => claims),
  'a time to come': claiming((claims) => ({ ...claims, nbf: now() + 600 })),
  'no subject': claiming(({ sub: _sub, ...claims }) => claims),
  'a subject of no characters': claiming((claims) => ({ ...claims, sub: '' })),
  'a subject with a zero byte': claiming((claims) => ({ ...claims, sub: 'a\0b' })),
  'no token at all': async () => '',
  'no JWT': async () => 'not.a.token',
};

describe('case 39: an ID token with', () => {
  it.each(Object.keys(forgeries))('%s is 400, and signs no user in', async (name) => {
    const before = await traces(app);
    provider.scene.forge = forgeries[name] ?? provider.sign;
    const ended = await signInAs(app, provider, {
      sub: 'victim',
      email: 'victim@company.test',
      email_verified: true,
    });
    expect(ended).toMatchObject({
      status: 400,
      session: undefined,
      location: undefined,
      body: { code: 'auth.idp_invalid' },
    });
    expect(await traces(app)).toEqual(before);
    expect(JSON.stringify(ended.body)).not.toMatch(/alg|nonce|aud|signature/);
  });

  it('valid claims signs in', async () => {
    expect((await signInAs(app, provider, { sub: 'proper' })).session).toMatch(/^svcs_/);
    provider.scene.forge = claiming((claims) => ({
      ...claims,
      aud: [client.id, 'somebody-else'],
      azp: client.id,
    }));
    expect(await signInAs(app, provider, { sub: 'proper' })).toMatchObject({ status: 200 });
  });
});

describe('case 39: the code', () => {
  it('works once', async () => {
    provider.scene.subject = { sub: 'once' };
    const [first, second] = [await begin(app), await begin(app)];
    const query = provider.authorize(first.url);
    expect((await end(app, query, first.cookie)).status).toBe(200);
    const before = await traces(app);
    query.set('state', second.state);
    expect(await end(app, query, second.cookie)).toMatchObject({
      status: 400,
      session: undefined,
      body: { code: 'auth.idp_invalid' },
    });
    expect(await traces(app)).toEqual(before);
  });

  it('of another sign-in is rejected: PKCE and nonce bind it', async () => {
    provider.scene.subject = { sub: 'injected' };
    const [victim, attacker] = [await begin(app), await begin(app)];
    const stolen = provider.authorize(victim.url);
    stolen.set('state', attacker.state);
    const before = await traces(app);
    expect(await end(app, stolen, attacker.cookie)).toMatchObject({
      status: 400,
      session: undefined,
      body: { code: 'auth.idp_invalid' },
    });
    expect(await traces(app)).toEqual(before);
  });

  it('is required, otherwise 400', async () => {
    const { state, cookie } = await begin(app);
    expect(await end(app, `state=${state}`, cookie)).toMatchObject({
      status: 400,
      session: undefined,
      body: { code: 'auth.idp_invalid' },
    });
  });
});

it('the discovery document of another issuer is rejected', async () => {
  const other = await freshApp({
    env: {
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: client.id,
      IDP_CLIENT_SECRET: client.secret,
    },
  });
  provider.scene.metadata = { issuer: 'https://evil.test' };
  const response = await other.http.inject({ url: '/api/auth/idp/start' });
  provider.scene.metadata = {};
  await other.close();
  expect({ status: response.statusCode, 'set-cookie': response.headers['set-cookie'] }).toEqual({
    status: 503,
    'set-cookie': undefined,
  });
});
