import type { Selectable } from 'kysely';
import type { Tables } from '../../../platform/database/tables.ts';
import type { QrCodeView } from '../schemas.ts';

/** The members of a row that decide whether scans reach the target. */
type Availability = Pick<
  Selectable<Tables['qr_codes']>,
  'active' | 'starts_at' | 'expires_at' | 'scan_limit' | 'scans_used'
>;

/** Whether scans reach the target at `now` (Unix ms); otherwise why not. */
export function statusOf(code: Availability, now: number): QrCodeView['status'] {
  if (!code.active) return 'paused';
  if (code.expires_at !== null && code.expires_at.getTime() <= now) return 'expired';
  if (code.starts_at !== null && code.starts_at.getTime() > now) return 'scheduled';
  return code.scan_limit !== null && code.scans_used >= code.scan_limit ? 'used_up' : 'active';
}
