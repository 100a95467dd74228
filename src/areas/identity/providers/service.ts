import { safeRedirect } from '../../../lib/net/safe-redirect.ts';
import { emailIdentity } from '../../../lib/identifiers.ts';
import { entriesOf } from '../../../lib/text/lists.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { TokenResponse } from '../claims-schemas.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { BrowserOutcome } from '../sign-in/browser-sign-in.ts';
import type { VerifiedSignIn } from '../sign-in/service.ts';
import type { IdpParts } from './context.ts';
import { idpErrors } from './errors.ts';
import { createFlow, type FlowReturn, type FlowStart, type StartedFlow } from './flow.ts';
import { type Claims, createProvider } from './provider.ts';
import type { CMYKGoogleInitRequest } from './schemas.ts';
import { providerSettings } from './settings.ts';

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

/** Sign-in through the company's identity provider. The audit log has every step. */
export function createIdp(parts: IdpParts) {
  const { config, clock, baseOrigin, signIn, browserSignIn, audit } = parts;
  const redirectUris = new Set(entriesOf(config.IDP_REDIRECT_URIS));
  const settings = providerSettings(config);
  const provider = settings === undefined ? undefined : createProvider(settings, clock);
  const flow = provider === undefined ? undefined : createFlow(parts, provider);
  return {
    isConfigured: flow !== undefined,

    /** Begins a browser's sign-in. Throws `auth.oauth_not_configured`, `auth.idp_unavailable`. */
    start: (next: string | undefined, browser: string, from: RequestOrigin): Promise<StartedFlow> =>
      begin({ ends: 'cookie', next: safeRedirect(next, baseOrigin), browser }, from),

    /** Ends a browser's sign-in. Throws the errors of `flow.end` and `signIn.asCookie`. */
    async finish(
      returned: Omit<FlowReturn, 'ends'>,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<{ outcome: BrowserOutcome; next: string }> {
      const { verified, next } = await end({ ...returned, ends: 'cookie' }, from);
      return { outcome: await browserSignIn.begin(verified, cookieHeader), next };
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
      requireFlow();
      const native = nativeParameters(request, redirectUris);
      const start = {
        ends: 'bearer',
        next: '/',
        loginHint: request.login_hint,
        native,
        browser: native === undefined ? browser : undefined,
      } as const;
      return begin(start, from);
    },

    /** Ends a bearer client's sign-in with tokens, or with a request for the second factor. */
    async finishAsBearer(
      returned: Omit<FlowReturn, 'ends'>,
      from: RequestOrigin,
    ): Promise<TokenResponse> {
      const { verified } = await end({ ...returned, ends: 'bearer' }, from);
      return signIn.asBearer(verified);
    },
  };

  function requireFlow() {
    if (flow === undefined) throw idpErrors.oauth_not_configured();
    return flow;
  }

  async function begin(start: FlowStart, from: RequestOrigin): Promise<StartedFlow> {
    const started = await requireFlow().begin(start);
    await record('idp.started', from);
    return started;
  }

  async function end(
    returned: FlowReturn,
    from: RequestOrigin,
  ): Promise<{ verified: VerifiedSignIn; next: string }> {
    const configured = requireFlow();
    try {
      const { claims, next } = await configured.end(returned);
      await record('idp.completed', from);
      return { verified: toVerifiedSignIn(claims, configured.issuer, from), next };
    } catch (error) {
      if (error instanceof AppError) await record('idp.failed', from, error.code);
      throw error;
    }
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
}

export type Idp = ReturnType<typeof createIdp>;
