import fastify from 'fastify';

export interface OAuthEndpoints {
  authorization: string;
  token: string;
}

export interface OAuthClientOptions {
  clientId: string;
  clientSecret: string;
  endpoints: OAuthEndpoints;
  /** How the client's secret is sent to the token endpoint. */
  secretIn: 'header' | 'body';
  /** Timeout of the token endpoint, in ms. */
  timeoutMs: number;
}

export interface OAuthTokens {
  id_token?: unknown;
  access_token?: unknown;
}

/** The decorator that the plugin adds: a client of simple-oauth2. */
interface AuthorizationCode {
  authorizeURL: (parameters: Record<string, string>) => string;
  getToken: (parameters: Record<string, string>) => Promise<{ token: OAuthTokens }>;
}

const decorator = 'provider';

/** A failed exchange. Replaces the HTTP client's own error, which holds the client's secret. */
export class OAuthExchangeError extends Error {
  override readonly name = 'OAuthExchangeError';
  /** True when the token endpoint rejected the code, false when it could not be reached. */
  readonly isRefusal: boolean;

  constructor(status: number | undefined) {
    super(
      status === undefined
        ? 'the token endpoint gave no answer'
        : `the token endpoint answered ${status}`,
    );
    this.isRefusal = status !== undefined && status >= 400 && status < 500;
  }
}

/** The HTTP status in an error of the HTTP client (Wreck), if it received a response. */
function statusOf(error: unknown): number | undefined {
  if (
    !(error instanceof Error) ||
    !('data' in error) ||
    typeof error.data !== 'object' ||
    error.data === null
  )
    return undefined;
  const { data } = error;
  if (
    !('res' in data) ||
    typeof data.res !== 'object' ||
    data.res === null ||
    !('statusCode' in data.res)
  )
    return undefined;
  return typeof data.res.statusCode === 'number' ? data.res.statusCode : undefined;
}

function authOf({ authorization, token }: OAuthEndpoints) {
  const [authorize, exchange] = [new URL(authorization), new URL(token)];
  return {
    authorizeHost: authorize.origin,
    authorizePath: authorize.pathname + authorize.search,
    tokenHost: exchange.origin,
    tokenPath: exchange.pathname + exchange.search,
  };
}

/**
 * The authorization code grant (RFC 6749 §4.1) by `@fastify/oauth2`. The plugin needs its endpoints
 * when it is registered, and a running Fastify accepts no plugins: so it gets an instance of its
 * own, without routes, as soon as the endpoints are known.
 */
export async function createOAuthClient({
  clientId,
  clientSecret,
  endpoints,
  secretIn,
  timeoutMs,
}: OAuthClientOptions) {
  const { fastifyOauth2 } = await import('@fastify/oauth2');
  const host = fastify();
  await host.register(fastifyOauth2, {
    name: decorator,
    callbackUri: 'about:blank',
    credentials: {
      client: { id: clientId, secret: clientSecret },
      auth: authOf(endpoints),
      http: { timeout: timeoutMs, redirects: 0, maxBytes: 1024 ** 2 },
      options: { authorizationMethod: secretIn },
    },
  });
  await host.ready();
  const { oauth2 } = host.getDecorator<{ oauth2: AuthorizationCode }>(decorator);

  return {
    /** The URL to send the user to. */
    authorizationUrl: (parameters: Record<string, string>): string =>
      oauth2.authorizeURL(parameters),

    /** Exchanges a code for tokens. Rejects with an OAuthExchangeError. */
    async exchange(parameters: {
      code: string;
      redirect_uri: string;
      code_verifier: string;
    }): Promise<OAuthTokens> {
      const { token } = await oauth2.getToken(parameters).catch((error: unknown) => {
        throw new OAuthExchangeError(statusOf(error));
      });
      return token;
    },
  };
}

export type OAuthClient = Awaited<ReturnType<typeof createOAuthClient>>;
