import type { User } from '../users/store.ts';
import type { SessionUser, TokenResponse, UserClaims } from './schemas.ts';
import type { SessionRecord, UserRecord } from './session-store.ts';
import { type Session, toUserRecord, type Tokens } from './sessions.ts';

const iso = (ms: number) => new Date(ms).toISOString();

function toClaims(id: string, { email, phone, name, picture, roles }: UserRecord): UserClaims {
  return {
    id, sub: id, name, picture, roles: [...roles],
    email, email_verified: email !== null, phone_number: phone, phone_number_verified: phone !== null,
  };
}

/** OIDC claims of the person behind a session, and the session. */
export function toSessionUser(session: Session): SessionUser {
  return {
    ...toClaims(session.userId, session.user),
    amr: session.amr, acr: session.acr, auth_time: Math.floor(session.auth_time / 1000), authenticated: true,
    session: {
      id: session.id, created_at: iso(session.created_at), expires_at: iso(session.expires_at),
      idle_expires_at: iso(Math.min(session.expires_at, session.used_at + session.idle_ms)), device_id: null, device_state: 'unknown',
    },
  };
}

/** The answer of RFC 6749 §5.1, with our extensions. */
export function toTokenResponse(tokens: Tokens, signedIn?: { user: User; isNew: boolean }): TokenResponse {
  return {
    access_token: tokens.accessToken, token_type: 'Bearer', expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken, refresh_expires_in: tokens.refreshExpiresIn, scope: 'user', session_id: tokens.sessionId,
    is_new_user: signedIn?.isNew ?? false, user: signedIn === undefined ? null : toClaims(signedIn.user.id, toUserRecord(signedIn.user, 0)),
    status: 'authenticated', verification_id: null, resend_after: null,
  };
}

/** One line of the list of sessions. */
export function toSessionView(session: SessionRecord, currentId: string) {
  return {
    id: session.id, current: session.id === currentId, via: session.via, client: session.client, amr: session.amr,
    created_at: iso(session.created_at), last_used_at: iso(session.used_at), expires_at: iso(session.expires_at),
  };
}
