import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './loopback.ts';
import { client } from './real-provider.ts';

export interface Subject {
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: string;
}

/**
 * Creates the ID token that the token endpoint returns: properly signed, unless the test replaces
 * this function.
 */
export type Forge = (proper: {
  claims: Record<string, unknown>;
  issuer: string;
}) => Promise<string>;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}

/**
 * A fake provider that signs any claims. `authorize` acts as the user, and returns the callback's
 * query.
 */
export async function startFakeProvider(port = 0) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const seconds = () => Math.floor(Date.now() / 1000);
  const sign: Forge = ({ claims }) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey);
  const scene: {
    subject: Subject;
    forge: Forge;
    metadata: Record<string, unknown>;
    /** What UserInfo says; undefined while the provider has none. */
    userInfo: Record<string, unknown> | undefined;
    hits: string[];
  } = { subject: { sub: 'one' }, forge: sign, metadata: {}, userInfo: undefined, hits: [] };
  const codes = new Map<
    string,
    { nonce: string; challenge: string; redirectUri: string; subject: Subject }
  >();
  let origin = '';

  async function token(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const form = new URLSearchParams(await readBody(request));
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    const isVerifierRight =
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url') === code?.challenge;
    if (
      code === undefined ||
      !isVerifierRight ||
      form.get('redirect_uri') !== code.redirectUri ||
      request.headers.authorization !== basic
    ) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const claims = {
      iss: origin,
      aud: client.id,
      iat: seconds(),
      exp: seconds() + 300,
      nonce: code.nonce,
      ...code.subject,
    };
    return {
      status: 200,
      body: {
        access_token: 'at',
        token_type: 'Bearer',
        expires_in: 300,
        id_token: await scene.forge({ claims, issuer: origin }),
      },
    };
  }

  async function respond(request: IncomingMessage): Promise<{ status: number; body: object }> {
    scene.hits.push(request.url ?? '');
    if (request.url === '/token') return token(request);
    if (request.url === '/keys') return { status: 200, body: { keys: [jwk] } };
    if (request.url === '/userinfo' && scene.userInfo !== undefined)
      return { status: 200, body: scene.userInfo };
    const metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
      ...scene.metadata,
    };
    return request.url === '/.well-known/openid-configuration'
      ? { status: 200, body: metadata }
      : { status: 404, body: {} };
  }

  const listening = await listen((request: IncomingMessage, response: ServerResponse) => {
    void respond(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  }, port);
  origin = listening.origin;

  return {
    issuer: origin,
    scene,
    sign,
    close: listening.close,
    publicPem: await exportSPKI(publicKey),
    publicJwk: jwk,

    authorize(authorizationUrl: string): URLSearchParams {
      const parameters = new URL(authorizationUrl).searchParams;
      const code = `code-${codes.size}-${Math.random().toString(36).slice(2)}`;
      codes.set(code, {
        nonce: parameters.get('nonce') ?? '',
        challenge: parameters.get('code_challenge') ?? '',
        redirectUri: parameters.get('redirect_uri') ?? '',
        subject: scene.subject,
      });
      return new URLSearchParams({ code, state: parameters.get('state') ?? '' });
    },
  };
}

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>;
