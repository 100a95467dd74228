import { z } from 'zod';
import { claims, claimsExample } from '../claims-schemas.ts';

const time = z.iso.datetime();

export const AuthStatus = z
  .object({
    oauth_configured: z.boolean().describe('Whether an identity provider is configured.'),
    provider: z.literal('idp'),
    dev_bypass: z
      .boolean()
      .describe('Whether `/api/auth/dev/bypass/{email}` works for this request.'),
    login_url: z.string(),
    authenticated: z.boolean(),
    methods: z.array(z.enum(['idp', 'otp_sms', 'otp_email'])),
  })
  .meta({
    id: 'AuthStatus',
    description: 'The sign-in methods of this service, and whether the caller is signed in.',
    examples: [
      {
        oauth_configured: true,
        provider: 'idp',
        dev_bypass: false,
        login_url: '/login',
        authenticated: false,
        methods: ['idp', 'otp_email'],
      },
    ],
  });
export type AuthStatus = z.output<typeof AuthStatus>;

export const SessionUser = z
  .object({
    ...claims,
    amr: z.array(z.string()).describe('Authentication methods (RFC 8176).'),
    acr: z
      .enum(['aal1', 'aal2'])
      .describe('Authentication assurance level (NIST SP 800-63B): one or two factors.'),
    auth_time: z.int().describe('When the user last authenticated: Unix time in seconds.'),
    authenticated: z.literal(true),
    session: z.object({
      id: z.string(),
      created_at: time,
      expires_at: time,
      idle_expires_at: time,
      device_id: z.string().nullable(),
      device_state: z.string().describe('`unknown` before the device is identified.'),
    }),
  })
  .meta({
    id: 'SessionUser',
    description: 'The signed-in user and the current session.',
    examples: [
      {
        ...claimsExample,
        amr: ['otp'],
        acr: 'aal1',
        auth_time: 1_777_887_000,
        authenticated: true,
        session: {
          id: '8sK2mQpXw4Tn',
          created_at: '2026-05-04T09:30:00.000Z',
          expires_at: '2026-05-05T09:30:00.000Z',
          idle_expires_at: '2026-05-04T10:30:00.000Z',
          device_id: null,
          device_state: 'unknown',
        },
      },
    ],
  });
export type SessionUser = z.output<typeof SessionUser>;

export const RefreshBody = z
  .object({
    refresh_token: z
      .string()
      .min(1)
      .max(512)
      .meta({ examples: ['svcr_9Lm3vD6pHs1QwEx4'] }),
    grant_type: z.literal('refresh_token').optional(),
  })
  .meta({ id: 'RefreshTokens' });

export const LogoutView = z
  .object({
    ok: z.literal(true),
    logged_out: z.boolean(),
    session_revoked: z.boolean(),
    cookie_cleared: z.boolean(),
  })
  .meta({
    id: 'EndedSession',
    description: 'What was ended: the session, the cookie, or both.',
    examples: [{ ok: true, logged_out: true, session_revoked: true, cookie_cleared: true }],
  });

export const SessionView = z
  .object({
    id: z.string(),
    current: z.boolean().describe('True for the session of this request.'),
    via: z.enum(['cookie', 'bearer']).describe('What carries the session: a cookie or a token.'),
    client: z.string().describe('Browser and operating system used to sign in.'),
    amr: z.array(z.string()).describe('Authentication methods of the sign-in (RFC 8176).'),
    created_at: time,
    last_used_at: time.describe('Accurate to the minute.'),
    expires_at: time,
  })
  .meta({
    id: 'Session',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        current: true,
        via: 'cookie',
        client: 'Firefox on macOS',
        amr: ['otp'],
        created_at: '2026-05-04T09:30:00.000Z',
        last_used_at: '2026-05-04T10:15:00.000Z',
        expires_at: '2026-05-05T09:30:00.000Z',
      },
    ],
  });

export const SessionList = z
  .object({ data: z.array(SessionView).describe('Newest first.'), total: z.int() })
  .meta({ id: 'SessionList', description: 'The active sessions of the user, newest first.' });
export const SessionParams = z.object({ id: z.uuid() });
// Lower case like stored ids.
export const UserParams = z.object({ id: z.uuid().toLowerCase().describe('The user.') });
export const UserSessionParams = UserParams.extend({
  session_id: z.uuid().toLowerCase().describe('The session.'),
});
export const EndSessionsQuery = z.object({
  keep_current: z
    .stringbool()
    .default(false)
    .describe('Keep the current session.')
    .meta({ type: 'boolean', example: false }),
});
export const EndedSessionsView = z
  .object({ ok: z.literal(true), ended: z.int().describe('Number of ended sessions.') })
  .meta({ id: 'EndedSessions', description: 'The number of sessions that were ended.' });
