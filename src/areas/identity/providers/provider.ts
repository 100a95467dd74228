import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { maxUrlLength, publicUrlProblem, storedUrl } from '../../../lib/net/public-url.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';
import { hourMs } from '../../../lib/durations.ts';
import { trimmedLine } from '../../../platform/validation/text-schemas.ts';
import { createOAuthClient, type OAuthClient, OAuthExchangeError } from './oauth-client.ts';
import { idpErrors } from './errors.ts';

export interface ProviderSettings {
  /** Ends with a slash only if the provider's own issuer identifier does. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const timeoutMs = 5000;
const metadataFreshMs = hourMs;

/** Asymmetric algorithms only: no `none`, and no HS*, whose key would be the public one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const endpoint = z.url({ protocol: /^https?$/ });
/** The members of OpenID Connect Discovery 1.0 §3 that are used. */
const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
type Metadata = z.output<typeof Metadata>;

/** Amazon Cognito and others send `"true"` where OpenID Connect Core §5.1 wants `true`. */
const claimedBoolean = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);

/**
 * A claim of the wrong type counts as absent: providers differ, and none of these is relied upon.
 */
const Claims = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.string().max(320).optional().catch(undefined),
  email_verified: claimedBoolean.optional().catch(undefined),
  // Shown next to admins' buttons: bidirectional control characters in a name could change what
  // the buttons seem to say.
  name: trimmedLine(200).min(1).optional().catch(undefined),
  picture: z
    .url({ protocol: /^https$/ })
    .max(maxUrlLength)
    .overwrite(storedUrl)
    .refine((url) => publicUrlProblem(url) === undefined)
    .optional()
    .catch(undefined),
});
/** The claims about the user who has signed in at the provider. */
export type Claims = z.output<typeof Claims>;

interface Connection {
  metadata: Metadata;
  client: OAuthClient;
  keys: JWTVerifyGetKey;
  /** Unix ms. */
  at: number;
}

async function fetchJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status} from the identity provider`);
  return response.json();
}

function checkIssuer(metadata: Metadata, issuer: string): void {
  if (metadata.issuer !== issuer) throw new Error('the discovery document is of another issuer');
  if (!issuer.startsWith('https:')) return;
  const plain = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.jwks_uri,
    metadata.userinfo_endpoint ?? '',
  ].filter((url) => url.startsWith('http:'));
  if (plain.length > 0) throw new Error('the discovery document names endpoints without TLS');
}

async function connect(
  { issuer, clientId, clientSecret }: ProviderSettings,
  at: number,
): Promise<Connection> {
  const metadata = Metadata.parse(
    await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  );
  checkIssuer(metadata, issuer);
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const { createRemoteJWKSet } = await import('jose');
  const client = await createOAuthClient({
    clientId,
    clientSecret,
    timeoutMs,
    endpoints: { authorization: metadata.authorization_endpoint, token: metadata.token_endpoint },
    secretIn: methods.includes('client_secret_basic') ? 'header' : 'body',
  });
  return {
    metadata,
    client,
    keys: createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: timeoutMs }),
    at,
  };
}

/** OpenID Connect Core §3.1.3.7, points 4 and 5. */
function isForUs({ aud, azp }: JWTPayload, clientId: string): boolean {
  if (azp !== undefined) return azp === clientId;
  return !Array.isArray(aud) || aud.length === 1;
}

/** Whether the provider's keys could not be fetched, so that the token may still be valid. */
function isKeyFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return (
    !('code' in error) ||
    error.code === 'ERR_JOSE_GENERIC' ||
    error.code === 'ERR_JWKS_TIMEOUT' ||
    error.code === 'ERR_JWKS_INVALID'
  );
}

/** The claims of an ID token. Throws `auth.idp_invalid`, `auth.idp_unavailable`. */
async function verifyIdToken(
  idToken: unknown,
  { issuer, clientId }: ProviderSettings,
  { keys, nonce, now }: { keys: JWTVerifyGetKey; nonce: string; now: number },
): Promise<Claims> {
  if (typeof idToken !== 'string') throw idpErrors.idp_invalid();
  const { jwtVerify } = await import('jose');
  const { payload } = await jwtVerify(idToken, keys, {
    issuer,
    audience: clientId,
    algorithms,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    clockTolerance: 30,
    currentDate: new Date(now),
  }).catch((cause: unknown) => {
    throw isKeyFailure(cause)
      ? idpErrors.idp_unavailable({ cause })
      : idpErrors.idp_invalid({ cause });
  });
  const hasFlowNonce = typeof payload.nonce === 'string' && equalSecrets(payload.nonce, nonce);
  const claims = Claims.safeParse(payload);
  if (!hasFlowNonce || !isForUs(payload, clientId) || !claims.success)
    throw idpErrors.idp_invalid();
  return claims.data;
}

/** Many providers return the email address from UserInfo only (OpenID Connect Core §5.3). */
async function withUserInfo(
  claims: Claims,
  accessToken: unknown,
  { userinfo_endpoint: url }: Metadata,
): Promise<Claims> {
  if (claims.email !== undefined || url === undefined || typeof accessToken !== 'string')
    return claims;
  const response = await fetchJson(url, { authorization: `Bearer ${accessToken}` }).catch(
    (cause: unknown) => {
      throw idpErrors.idp_unavailable({ cause });
    },
  );
  const userInfo = Claims.safeParse(response);
  if (!userInfo.success || userInfo.data.sub !== claims.sub) throw idpErrors.idp_invalid();
  const idTokenClaims = Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== undefined),
  );
  return { ...userInfo.data, ...idTokenClaims };
}

/** Caches the connection for an hour, and uses a stale one if the provider is unreachable. */
function createConnection(settings: ProviderSettings, clock: Clock) {
  let known: Connection | undefined;
  let opening: Promise<Connection> | undefined;

  async function open(): Promise<Connection> {
    opening ??= connect(settings, clock.now()).finally(() => {
      opening = undefined;
    });
    known = await opening;
    return known;
  }

  return async (): Promise<Connection> => {
    if (known !== undefined && clock.now() - known.at < metadataFreshMs) return known;
    const stale = known;
    return open().catch((cause: unknown) => {
      if (stale !== undefined) return stale;
      throw idpErrors.idp_unavailable({ cause });
    });
  };
}

/** The company's OpenID Connect provider, discovered at the first sign-in, not at startup. */
export function createProvider(settings: ProviderSettings, clock: Clock) {
  const connection = createConnection(settings, clock);
  return {
    issuer: settings.issuer,

    /** The provider's URL at which a sign-in begins. Throws `auth.idp_unavailable`. */
    async authorizationUrl(parameters: Record<string, string>): Promise<string> {
      const { client } = await connection();
      return client.authorizationUrl({ scope: 'openid email profile', ...parameters });
    },

    /**
     * Exchanges the code and verifies the ID token. Throws `auth.idp_invalid`,
     * `auth.idp_unavailable`.
     */
    async claimsOf(
      code: string,
      { redirectUri, verifier, nonce }: { redirectUri: string; verifier: string; nonce: string },
    ): Promise<Claims> {
      const { client, keys, metadata } = await connection();
      const tokens = await client
        .exchange({ code, redirect_uri: redirectUri, code_verifier: verifier })
        .catch((cause: unknown) => {
          throw cause instanceof OAuthExchangeError && cause.isRefusal
            ? idpErrors.idp_invalid({ cause })
            : idpErrors.idp_unavailable({ cause });
        });
      const checks = { keys, nonce, now: clock.now() };
      const claims = await verifyIdToken(tokens.id_token, settings, checks);
      return withUserInfo(claims, tokens.access_token, metadata);
    },
  };
}

export type Provider = ReturnType<typeof createProvider>;
