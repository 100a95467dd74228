import type { Session } from '../sessions/service.ts';
import type { TwoFactorStatusResponse } from './schemas.ts';
import type { SecondFactorStatus } from './service.ts';

type Method = TwoFactorStatusResponse['methods'][number];

function toMethod(
  type: Method['type'],
  verified: boolean,
  { createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date | null },
): Method {
  return {
    type,
    verified,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

/** The second factors of a session's user, as the API shows them. */
export function toStatusView(
  { isEnabled, totp, passkeys, backupCodes }: SecondFactorStatus,
  { user, acr }: Session,
): TwoFactorStatusResponse {
  const apps = totp === undefined ? [] : [toMethod('totp', totp.verified, totp)];
  return {
    enabled: isEnabled,
    methods: [...apps, ...passkeys.map((passkey) => toMethod('passkey', true, passkey))],
    totp_enabled: totp?.verified === true,
    passkey_count: passkeys.length,
    phone_verified: user.phone !== null,
    email_verified: user.email !== null,
    backup_codes_remaining: backupCodes.left,
    backup_codes_generated_at: backupCodes.generatedAt?.toISOString() ?? null,
    aal: acr,
  };
}
