import type * as DPoP from 'dpop';
import { generateKeyPair } from 'dpop';
import type { TestApp } from './app.ts';
import { TestClient, type TestResponse } from './client.ts';
import { type CallOptions, mount, signProof, type SignInAs } from './devices.ts';

/**
 * How a client without cookies calls: the authorization scheme, the key, and any fault in its DPoP
 * proof.
 */
export interface BearerCall extends Pick<CallOptions, 'method' | 'body'> {
  scheme?: 'Bearer' | 'DPoP' | 'none';
  keys?: DPoP.KeyPair | undefined;
  accessToken?: string;
  /** The token that the proof covers; null for none. Default: the token that is sent. */
  provedToken?: string | null;
  claims?: Record<string, unknown>;
}

export const newKeys = (): Promise<DPoP.KeyPair> => generateKeyPair('ES256');

/** Creates a client with tokens of its own. Each call may prove a key. */
export async function createBearerClient(
  app: TestApp,
  { email, roles = [], acr = 'aal1', amr = ['otp'] }: SignInAs,
  { now = Date.now }: { now?: () => number } = {},
) {
  const client = new TestClient(app);
  const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
  if (roles.length > 0) await app.services.users.setRoles(user.id, roles);
  const self = {
    tokens: await app.services.sessions.openBearer(user, {
      amr,
      acr,
      begun: now(),
      client: 'An app',
    }),
    nonce: undefined as string | undefined,
  };

  async function once(
    url: string,
    {
      method = 'GET',
      body,
      scheme = 'Bearer',
      keys,
      accessToken = self.tokens.accessToken,
      provedToken = scheme === 'none' ? null : accessToken,
      claims = {},
    }: BearerCall,
  ): Promise<TestResponse> {
    const dpop =
      keys === undefined
        ? {}
        : {
            dpop: await signProof({
              keys,
              url,
              method,
              nonce: self.nonce,
              accessToken: provedToken ?? undefined,
              at: now(),
              claims,
            }),
          };
    const response = await client.send(
      method,
      url,
      body === undefined ? undefined : JSON.stringify(body),
      {
        headers: {
          host: 'localhost:80',
          ...(scheme === 'none' ? {} : { authorization: `${scheme} ${accessToken}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...dpop,
        },
      },
    );
    const nonce = response.headers['dpop-nonce'];
    if (typeof nonce === 'string') self.nonce = nonce;
    return response;
  }

  /** Sends the request, and repeats it with the nonce if the service demands one. */
  async function call(url: string, options: BearerCall = {}): Promise<TestResponse> {
    const first = await once(url, options);
    return first.body.code === 'blackops.use_dpop_nonce' ? once(url, options) : first;
  }

  return {
    self,
    userId: user.id,
    call,
    ask: (options: BearerCall = {}) =>
      call(`${mount}/request-clearance`, {
        method: 'POST',
        body: { fingerprint: 'print' },
        ...options,
      }),
    me: (options: BearerCall = {}) => call('/api/auth/me', options),
    refresh: (options: BearerCall = {}) =>
      call('/api/auth/token/refresh', {
        method: 'POST',
        body: { refresh_token: self.tokens.refreshToken },
        scheme: 'none',
        ...options,
      }),
  };
}

export type BearerClient = Awaited<ReturnType<typeof createBearerClient>>;
