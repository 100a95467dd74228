import { safeRedirect } from '../../../lib/net/safe-redirect.ts';
import { emailIdentity } from '../../../lib/identifiers.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { TokenResponse } from '../claims-schemas.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { Audit } from '../../audit/service.ts';
import type { BrowserOutcome, BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import type { VerifiedSignIn, SignIn } from '../sign-in/service.ts';
import { idpErrors } from './errors.ts';
import { type FlowStart, type StartedFlow, createFlow, type FlowReturn } from './flow.ts';
import type { FlowStore } from './flow-store.ts';
import type { Claims, Provider } from './provider.ts';
import type { CMYKGoogleInitRequest } from './schemas.ts';

export interface IdpDeps {
  /** Undefined while none is set up. */
  provider: Provider | undefined;
  flows: FlowStore;
  signIn: Pick<SignIn, 'asBearer'>;
  browserSignIn: BrowserSignIn;
  audit: Pick<Audit, 'record'>;
  /** The configured public URL: the host that a request claims is not trusted. */
  baseUrl: string;
  /** The redirect URIs allowed for native clients. */
  redirectUris: ReadonlySet<string>;
}

function refuseInput(name: string, message: string): never {
  throw new RequestValidationError([
    {
      type: 'value_error',
      loc: ['body', name],
      msg: `Value error, ${message}`,
      input: null,
      ctx: { error: {} },
    },
  ]);
}

/**
 * The provider's `sub` identifies the user; an address counts only if the provider verified it.
 */
function toVerifiedSignIn(
  { sub, email, email_verified: isVerified, name, picture }: Claims,
  issuer: string,
  from: RequestOrigin,
): VerifiedSignIn {
  const address = isVerified === true && email !== undefined ? emailIdentity(email) : undefined;
  return {
    identity: { kind: 'idp', key: `${issuer} ${sub}`, value: sub },
    also: address === undefined ? [] : [address],
    profile: { name, picture },
    amr: ['fed'],
    ...from,
  };
}

/** The native client's parameters; undefined for a browser. Throws 422 if they are incomplete. */
function nativeParameters(
  { platform, redirect_uri: redirectUri, code_challenge: challenge }: CMYKGoogleInitRequest,
  redirectUris: ReadonlySet<string>,
) {
  const isNative =
    platform === 'ios' ||
    platform === 'android' ||
    redirectUri !== undefined ||
    challenge !== undefined;
  if (!isNative) return undefined;
  if (redirectUri === undefined || !redirectUris.has(redirectUri))
    return refuseInput('redirect_uri', 'an address of IDP_REDIRECT_URIS is needed');
  if (challenge === undefined)
    return refuseInput('code_challenge', 'the S256 challenge of your code verifier is needed');
  return { redirectUri, challenge };
}

/** Flows at the provider, with every step recorded in the audit log. */
function createAuditedFlow({
  provider,
  flows,
  audit,
  baseUrl,
}: Pick<IdpDeps, 'provider' | 'flows' | 'audit' | 'baseUrl'>) {
  const callbacks = {
    cookie: `${baseUrl}/api/auth/idp/callback`,
    bearer: `${baseUrl}/api/auth/cmyk/idp/callback`,
  };
  const configuration =
    provider === undefined
      ? undefined
      : { flow: createFlow({ provider, flows, callbacks }), issuer: provider.issuer };

  function requireConfiguration() {
    if (configuration === undefined) throw idpErrors.oauth_not_configured();
    return configuration;
  }

  async function record(
    action: 'idp.started' | 'idp.completed' | 'idp.failed',
    { address, requestId }: RequestOrigin,
    reason?: string,
  ): Promise<void> {
    const outcome = action === 'idp.failed' ? 'failure' : 'success';
    const actor = { kind: 'anonymous' } as const;
    await audit.record({ action, outcome, reason, actor, address, requestId });
  }

  return {
    isConfigured: configuration !== undefined,

    requireConfigured: (): void => void requireConfiguration(),

    async begin(start: FlowStart, from: RequestOrigin): Promise<StartedFlow> {
      const started = await requireConfiguration().flow.begin(start);
      await record('idp.started', from);
      return started;
    },

    async end(
      returned: FlowReturn,
      from: RequestOrigin,
    ): Promise<{ verified: VerifiedSignIn; next: string }> {
      const { flow, issuer } = requireConfiguration();
      try {
        const { claims, next } = await flow.end(returned);
        await record('idp.completed', from);
        return { verified: toVerifiedSignIn(claims, issuer, from), next };
      } catch (error) {
        if (error instanceof AppError) await record('idp.failed', from, error.code);
        throw error;
      }
    },
  };
}

/** Sign-in through the company's identity provider. */
export function createIdp(deps: IdpDeps) {
  const { signIn, browserSignIn, redirectUris } = deps;
  const baseOrigin = new URL(deps.baseUrl).origin;
  const flow = createAuditedFlow(deps);

  return {
    isConfigured: flow.isConfigured,

    /** Begins a browser's sign-in. Throws `auth.oauth_not_configured`, `auth.idp_unavailable`. */
    start: (next: string | undefined, browser: string, from: RequestOrigin): Promise<StartedFlow> =>
      flow.begin({ ends: 'cookie', next: safeRedirect(next, baseOrigin), browser }, from),

    /** Ends a browser's sign-in. Throws the errors of `flow.end` and `signIn.asCookie`. */
    async finish(
      returned: Omit<FlowReturn, 'ends'>,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<{ outcome: BrowserOutcome; next: string }> {
      const { verified, next } = await flow.end({ ...returned, ends: 'cookie' }, from);
      return { outcome: await browserSignIn(verified, cookieHeader), next };
    },

    /**
     * Begins the sign-in of a bearer client: in a browser, or native with its own PKCE. Throws 422
     * if the client's parameters are incomplete, `auth.oauth_not_configured`,
     * `auth.idp_unavailable`.
     */
    async initiate(
      request: CMYKGoogleInitRequest,
      browser: string,
      from: RequestOrigin,
    ): Promise<StartedFlow> {
      flow.requireConfigured();
      const native = nativeParameters(request, redirectUris);
      const start = {
        ends: 'bearer',
        next: '/',
        loginHint: request.login_hint,
        native,
        browser: native === undefined ? browser : undefined,
      } as const;
      return flow.begin(start, from);
    },

    /** Ends a bearer client's sign-in with tokens, or with a request for the second factor. */
    async finishAsBearer(
      returned: Omit<FlowReturn, 'ends'>,
      from: RequestOrigin,
    ): Promise<TokenResponse> {
      const { verified } = await flow.end({ ...returned, ends: 'bearer' }, from);
      return signIn.asBearer(verified);
    },
  };
}

export type Idp = ReturnType<typeof createIdp>;
