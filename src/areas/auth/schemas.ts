import { z } from 'zod';
import { claims } from '../../platform/identity-schemas.ts';

const time = z.iso.datetime();

export const AuthStatus = z.object({
  oauth_configured: z.boolean().describe('Whether sign-in through the identity provider is set up.'),
  provider: z.literal('idp'),
  dev_bypass: z.boolean().describe('Whether `/api/auth/dev/bypass/{email}` works for this request.'),
  login_url: z.string(),
  authenticated: z.boolean(),
  methods: z.array(z.enum(['idp', 'otp_sms', 'otp_email'])),
}).meta({ id: 'AuthStatus' });
export type AuthStatus = z.output<typeof AuthStatus>;

export const SessionUser = z.object({
  ...claims,
  amr: z.array(z.string()).describe('How the person signed in (RFC 8176).'),
  acr: z.enum(['aal1', 'aal2']),
  auth_time: z.int().describe('Seconds since 1970.'),
  authenticated: z.literal(true),
  session: z.object({
    id: z.string(),
    created_at: time,
    expires_at: time,
    idle_expires_at: time,
    device_id: z.string().nullable(),
    device_state: z.string().describe('`unknown` until the device is known.'),
  }),
}).meta({ id: 'SessionUser' });
export type SessionUser = z.output<typeof SessionUser>;

export const RefreshBody = z.object({
  refresh_token: z.string().min(1).max(512),
  grant_type: z.literal('refresh_token').optional(),
}).meta({ id: 'RefreshBody' });

export const LogoutView = z.object({
  ok: z.literal(true),
  logged_out: z.boolean(),
  session_revoked: z.boolean(),
  cookie_cleared: z.boolean(),
}).meta({ id: 'LogoutView' });

export const SessionView = z.object({
  id: z.string(),
  current: z.boolean(),
  via: z.enum(['cookie', 'bearer']),
  client: z.string().describe('Browser and system, as the sign-in told.'),
  amr: z.array(z.string()),
  created_at: time,
  last_used_at: time.describe('Exact to a minute.'),
  expires_at: time,
}).meta({ id: 'Session' });

export const SessionList = z.object({ data: z.array(SessionView).describe('Newest first.'), total: z.int() }).meta({ id: 'SessionList' });
export const SessionParams = z.object({ id: z.uuid() });
export const EndSessionsQuery = z.object({
  keep_current: z.stringbool().default(false).describe('Leave the session of this request open.'),
});
export const EndedView = z.object({ ok: z.literal(true), ended: z.int() }).meta({ id: 'EndedSessions' });
