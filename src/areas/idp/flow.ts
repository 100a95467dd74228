import { createHash } from 'node:crypto';
import { equalSecrets, randomSecret, sha256Hex } from '../../lib/secrets/secrets.ts';
import { idpErrors } from './errors.ts';
import type { Flow, FlowStore } from './flow-store.ts';
import type { Claims, Provider } from './provider.ts';

/** How long somebody may take at the provider, in ms. */
export const flowLifetimeMs = 600_000;

/** A sign-in that is to begin. */
export interface Begin {
  ends: Flow['ends'];
  /** A path of ours. */
  next: string;
  loginHint?: string | undefined;
  /** The cookie of the browser that begins it; undefined for native clients. */
  browser?: string | undefined;
  /** Native clients come back to an address of their own, with their own PKCE. */
  native?: { redirectUri: string; challenge: string } | undefined;
}

/** What came back from the provider, and from where. */
export interface Return {
  ends: Flow['ends'];
  state: string | undefined;
  code: string | undefined;
  error: string | undefined;
  /** The issuer that says it answers (RFC 9207). */
  iss: string | undefined;
  browser?: string | undefined;
  verifier?: string | undefined;
}

export interface Begun {
  url: string;
  state: string;
  /** Seconds. */
  expiresIn: number;
}

export interface FlowDeps {
  provider: Provider;
  flows: FlowStore;
  /** Where the provider sends people back to. */
  callbacks: Record<Flow['ends'], string>;
}

const stateForm = /^[\w-]{43}$/;
const errorForm = /^[a-z_]{1,40}$/;

/** PKCE's S256 (RFC 7636 §4.2). */
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** True for the browser that began the flow, or the native client that holds the verifier. */
function isSameClient(flow: Flow, { browser, verifier }: Return): boolean {
  if (flow.browser !== undefined)
    return browser !== undefined && equalSecrets(sha256Hex(browser), flow.browser);
  return verifier !== undefined && equalSecrets(challengeOf(verifier), flow.challenge);
}

/** The authorization code flow of OpenID Connect with PKCE (RFC 9700 §2.1). */
export function createFlow({ provider, flows, callbacks }: FlowDeps) {
  async function taken(returned: Return): Promise<Flow> {
    const { state } = returned;
    const flow = state !== undefined && stateForm.test(state) ? await flows.take(state) : undefined;
    if (flow?.ends !== returned.ends || !isSameClient(flow, returned))
      throw idpErrors.invalid_state();
    return flow;
  }

  return {
    /** Throws `auth.idp_unavailable`. */
    async begin({ ends, next, loginHint, browser, native }: Begin): Promise<Begun> {
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
     * Who has signed in, and where to go next. Each state counts once, whatever comes of it.
     * Throws `auth.invalid_state`, `auth.idp_refused`, `auth.idp_invalid`, `auth.idp_unavailable`.
     */
    async end(returned: Return): Promise<{ claims: Claims; next: string }> {
      const flow = await taken(returned);
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
}
