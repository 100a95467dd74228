import { createHmac } from 'node:crypto';
import {
  base64url,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import type { Forge } from './fake-provider.ts';
import { providerEnv, useFakeProvider } from './fake-sign-in.ts';
import { client } from './real-provider.ts';

const idp = await useFakeProvider();
afterEach(() => {
  idp.provider.scene.forge = idp.provider.sign;
});

const now = () => Math.floor(Date.now() / 1000);
/** Properly signed, with other claims. */
const claiming =
  (change: (claims: JWTPayload) => JWTPayload): Forge =>
  ({ claims, issuer }) =>
    idp.provider.sign({ claims: change(claims), issuer });

function signedByText(claims: object, key: string): string {
  const [header, payload] = [{ alg: 'HS256', kid: 'key-1', typ: 'JWT' }, claims].map((part) =>
    base64url.encode(JSON.stringify(part)),
  );
  return `${header}.${payload}.${createHmac('sha256', key)
    .update(`${header}.${payload}`)
    .digest('base64url')}`;
}

const signedByOther = async (claims: JWTPayload, kid: string) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign((await generateKeyPair('RS256')).privateKey);

const forgeries: Record<string, Forge> = {
  'no algorithm': async ({ claims }) => new UnsecuredJWT(claims).encode(),
  'no algorithm, in capitals': async ({ claims }) =>
    `${base64url.encode('{"alg":"NONE"}')}.${base64url.encode(JSON.stringify(claims))}.`,
  'HS256 with the public key as its secret': async ({ claims }) =>
    signedByText(claims, idp.provider.publicPem),
  'HS256 with the public JWK as its secret': async ({ claims }) =>
    signedByText(claims, JSON.stringify(idp.provider.publicJwk)),
  'HS256 with the client secret': async ({ claims }) => signedByText(claims, client.secret),
  'another key': ({ claims }) => signedByOther(claims, 'key-1'),
  'an unknown key id': ({ claims }) => signedByOther(claims, 'key-2'),
  'a key of its own in the header': async ({ claims }) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
      .sign(privateKey);
  },
  'a changed payload': async (proper) => {
    const [header, , signature] = (await idp.provider.sign(proper)).split('.');
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

describe('case 39: an ID token', () => {
  it.each(Object.entries(forgeries))(
    'with %s is 400, and signs no user in',
    async (_name, forge) => {
      idp.provider.scene.forge = forge;
      const ended = await idp.expectRefused(
        () => idp.signInWith('victim', 'victim@company.test'),
        400,
        'auth.idp_invalid',
      );
      expect(ended.text).not.toMatch(/alg|nonce|aud|signature/);
    },
  );

  it('with valid claims signs in', async () => {
    expect((await idp.signInAs({ sub: 'proper' })).session).toMatch(/^svcs_/);
    const aud = [client.id, 'somebody-else'];
    idp.provider.scene.forge = claiming((claims) => ({ ...claims, aud, azp: client.id }));
    expect(await idp.signInAs({ sub: 'proper' })).toMatchObject({ status: 200 });
  });
});

describe('case 39: the code', () => {
  it('works once', async () => {
    idp.provider.scene.subject = { sub: 'once' };
    const first = await idp.begin();
    const second = await idp.begin();
    const query = idp.provider.authorize(first.url);
    expect(await idp.end(query, first.cookie)).toMatchObject({ status: 200 });
    query.set('state', second.state);
    await idp.expectRefused(() => idp.end(query, second.cookie), 400, 'auth.idp_invalid');
  });

  it('of another sign-in is rejected: PKCE and nonce bind it', async () => {
    idp.provider.scene.subject = { sub: 'injected' };
    const victim = await idp.begin();
    const attacker = await idp.begin();
    const stolen = idp.provider.authorize(victim.url);
    stolen.set('state', attacker.state);
    await idp.expectRefused(() => idp.end(stolen, attacker.cookie), 400, 'auth.idp_invalid');
  });

  it('is required, otherwise 400', async () => {
    const { state, cookie } = await idp.begin();
    await idp.expectRefused(() => idp.end(`state=${state}`, cookie), 400, 'auth.idp_invalid');
  });
});

describe('the discovery document', () => {
  it('of another issuer is rejected', async () => {
    const { scene, issuer } = idp.provider;
    const app = await freshApp({ env: providerEnv(issuer) });
    scene.metadata = { issuer: 'https://evil.test' };
    const response = await new TestClient(app).get('/api/auth/idp/start');
    scene.metadata = {};
    await app.close();
    expect(response.status).toBe(503);
    expect(response.headers).not.toHaveProperty('set-cookie');
  });
});
