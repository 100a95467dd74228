import { type OtpRequired, toClaims, type TokenResponse, toUserClaims } from '../claims-schemas.ts';
import type { SessionUser } from './schemas.ts';
import type { SessionRecord } from '../sessions/records.ts';
import type { Tokens } from '../sessions/session-tokens.ts';
import type { Session } from '../sessions/service.ts';
import type { BearerSession, Outcome, SignedIn } from './service.ts';

const iso = (ms: number) => new Date(ms).toISOString();

/** OIDC claims of a session's user, and the session. */
export function toSessionUser(session: Session): SessionUser {
  return {
    ...toClaims(session.userId, session.user),
    amr: session.amr,
    acr: session.acr,
    auth_time: Math.floor(session.auth_time / 1000),
    authenticated: true,
    session: {
      id: session.id,
      created_at: iso(session.created_at),
      expires_at: iso(session.expires_at),
      idle_expires_at: iso(Math.min(session.expires_at, session.used_at + session.idle_ms)),
      device_id: session.device?.id ?? null,
      device_state: session.device?.state ?? 'unknown',
    },
  };
}

const emptyResponse = {
  access_token: null,
  token_type: 'Bearer',
  expires_in: 0,
  refresh_token: null,
  refresh_expires_in: 0,
  scope: '',
  session_id: null,
  device_token: null,
  is_new_user: false,
  user: null,
} as const;

/** The token response of RFC 6749 §5.1 with our extensions. */
export function toTokenResponse(
  tokens: Tokens,
  deviceToken: string,
  signedIn?: SignedIn,
): TokenResponse {
  return {
    token_type: tokens.isBound ? 'DPoP' : 'Bearer',
    access_token: tokens.accessToken,
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    refresh_expires_in: tokens.refreshExpiresIn,
    scope: 'user',
    session_id: tokens.sessionId,
    device_token: deviceToken,
    is_new_user: signedIn?.isNew ?? false,
    user: signedIn === undefined ? null : toUserClaims(signedIn.user),
    status: 'authenticated',
    mfa_required: false,
    mfa_token: null,
    mfa_methods: [],
    verification_id: null,
    resend_after: null,
  };
}

/** The response to a sign-in: tokens, or a request for the second factor. */
export function toSignInResponse(outcome: Outcome<BearerSession>): TokenResponse {
  if (outcome.mfa === undefined)
    return toTokenResponse(outcome.session.tokens, outcome.session.deviceToken, outcome);
  const { mfaToken, methods, expiresIn } = outcome.mfa;
  return {
    ...emptyResponse,
    status: 'mfa_required',
    mfa_required: true,
    mfa_token: mfaToken,
    mfa_methods: [...methods],
    verification_id: null,
    resend_after: null,
    expires_in: expiresIn,
  };
}

/** The response to a request that sent a one-time code. */
export function toOtpRequired(
  sent: Pick<OtpRequired, 'verification_id' | 'resend_after'>,
): TokenResponse {
  const { verification_id, resend_after } = sent;
  return {
    ...emptyResponse,
    status: 'otp_required',
    mfa_required: false,
    mfa_token: null,
    mfa_methods: [],
    verification_id,
    resend_after,
  };
}

/** A session as `SessionView` lists it. `currentId`: the session of the request, if any. */
export function toSessionView(session: SessionRecord, currentId: string | undefined) {
  return {
    id: session.id,
    current: session.id === currentId,
    via: session.via,
    client: session.client,
    amr: session.amr,
    created_at: iso(session.created_at),
    last_used_at: iso(session.used_at),
    expires_at: iso(session.expires_at),
  };
}
