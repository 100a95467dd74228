import { createHash } from 'node:crypto';
import { equalSecrets, randomSecret, sha256Hex } from '../../../lib/secrets/secrets.ts';
import { idpErrors } from './errors.ts';
import type { IdpParts } from './context.ts';
import { createFlowStore, type Flow } from './flow-store.ts';
import type { Claims, Provider } from './provider.ts';

/** How long a user may take at the provider, in ms. */
export const flowLifetimeMs = 600_000;

/** The parameters of a new flow. */
export interface FlowStart {
  ends: Flow['ends'];
  /** A path of this service. */
  next: string;
  loginHint?: string | undefined;
  /** The cookie of the browser that begins the flow; undefined for native clients. */
  browser?: string | undefined;
  /** Native clients have their own redirect URI and their own PKCE verifier. */
  native?: { redirectUri: string; challenge: string } | undefined;
}

/** The provider's authorization response, and the proof of the client that brings it. */
export interface FlowReturn {
  ends: Flow['ends'];
  state: string | undefined;
  code: string | undefined;
  error: string | undefined;
  /** The issuer that claims to have responded (RFC 9207). */
  iss: string | undefined;
  browser?: string | undefined;
  verifier?: string | undefined;
}

export interface StartedFlow {
  url: string;
  state: string;
  /** Seconds. */
  expiresIn: number;
}

const stateForm = /^[\w-]{43}$/;
const errorForm = /^[a-z_]{1,40}$/;

/** PKCE's S256 (RFC 7636 §4.2). */
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** True for the browser that began the flow, or the native client that holds the verifier. */
function isSameClient(flow: Flow, { browser, verifier }: FlowReturn): boolean {
  if (flow.browser !== undefined)
    return browser !== undefined && equalSecrets(sha256Hex(browser), flow.browser);
  return verifier !== undefined && equalSecrets(challengeOf(verifier), flow.challenge);
}

/** The authorization code flow of OpenID Connect with PKCE (RFC 9700 §2.1). */
export function createFlow({ redis, baseUrl }: IdpParts, provider: Provider) {
  const flows = createFlowStore(redis, flowLifetimeMs);
  // The host that a request claims is not trusted.
  const callbacks = {
    cookie: `${baseUrl}/api/auth/idp/callback`,
    bearer: `${baseUrl}/api/auth/cmyk/idp/callback`,
  };
  return {
    issuer: provider.issuer,

    /** Throws `auth.idp_unavailable`. */
    async begin({ ends, next, loginHint, browser, native }: FlowStart): Promise<StartedFlow> {
      const [state, nonce, verifier] = [randomSecret(), randomSecret(), randomSecret()];
      const redirectUri = native?.redirectUri ?? callbacks[ends];
      const challenge = native?.challenge ?? challengeOf(verifier);
      const url = await provider.authorizationUrl({
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      });
      const bound = native === undefined ? { verifier, browser: sha256Hex(browser ?? '') } : {};
      await flows.put(state, { ends, nonce, next, redirect_uri: redirectUri, challenge, ...bound });
      return { url, state, expiresIn: flowLifetimeMs / 1000 };
    },

    /**
     * Returns the claims of the user who has signed in, and the path to go to next. Each state
     * works once, whatever the outcome. Throws `auth.invalid_state`, `auth.idp_refused`,
     * `auth.idp_invalid`, `auth.idp_unavailable`.
     */
    async end(returned: FlowReturn): Promise<{ claims: Claims; next: string }> {
      const flow = await takeFlow(returned);
      const { code, error, iss } = returned;
      if (iss !== undefined && iss !== provider.issuer) throw idpErrors.idp_invalid();
      if (error !== undefined)
        throw idpErrors.idp_refused({
          extra: { next: flow.next, ...(errorForm.test(error) ? { idp_error: error } : {}) },
        });
      const verifier = flow.verifier ?? returned.verifier;
      if (code === undefined || verifier === undefined) throw idpErrors.idp_invalid();
      const claims = await provider.claimsOf(code, {
        redirectUri: flow.redirect_uri,
        verifier,
        nonce: flow.nonce,
      });
      return { claims, next: flow.next };
    },
  };

  async function takeFlow(returned: FlowReturn): Promise<Flow> {
    const { state } = returned;
    const flow = state !== undefined && stateForm.test(state) ? await flows.take(state) : undefined;
    if (flow?.ends !== returned.ends || !isSameClient(flow, returned))
      throw idpErrors.invalid_state();
    return flow;
  }
}
