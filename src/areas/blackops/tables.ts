import type { ColumnType, Generated } from 'kysely';

/** No address is whole, no fingerprint and no secret is in the clear. */
export interface DevicesTable {
  id: string;
  user_id: string;
  state: 'pending' | 'cleared' | 'expired' | 'suspended' | 'denied' | 'revoked';
  /** Since when. */
  state_at: Date;
  /** Why it is suspended or was removed: names of risk rules, or `owner`, `admin` and the like. */
  reasons: string[];
  /** What the person calls it. */
  name: string;
  /** SHA-256 of the cookie's secret, and of the one before; null for clients without cookies. */
  secret_hash: string | null;
  previous_secret_hash: string | null;
  /** How often the secret was replaced. */
  generation: number;
  /** Random: with the secret before it gives the present one. */
  rotation: string | null;
  rotated_at: Date | null;
  /** Where the present secret was sent, as a hash of address and browser. */
  rotated_from: string | null;
  /** When the present secret was first used. */
  confirmed_at: Date | null;
  /** Thumbprint (RFC 7638) of the key it proves. */
  jkt: string | null;
  /** The passkey that lives in it. */
  passkey_id: string | null;
  /** HMAC-SHA-256, lower-case hex. */
  fingerprint_hash: string;
  /** What browser and system tell of themselves. */
  platform: string | null;
  os: string | null;
  browser: string | null;
  browser_major: number | null;
  /** ISO 3166-1 alpha-2: where it may be used, and where it was last. */
  countries: string[];
  country: string | null;
  /** When it was last seen in a country that is known. */
  country_at: Date | null;
  /** The members of `Suspect` that a risk rule saw when it suspended the device. */
  suspect: ColumnType<unknown, string | null, string | null>;
  /** A network, never a whole address. */
  address: string | null;
  /** The session that enrolled it. */
  enrolled_in: string | null;
  first_seen: Date;
  last_seen: Date;
  cleared_at: Date | null;
  /** Cleared: when the clearance ends if it is not used before. Pending: when the request ends. */
  expires_at: Date | null;
  /** Revoked: when its sessions had ended. */
  sessions_ended_at: Date | null;
}

/** Requests for clearance, and what became of them. */
export interface ClearanceRequestsTable {
  id: string;
  device_id: string;
  user_id: string;
  state: 'open' | 'approved' | 'denied' | 'expired' | 'withdrawn';
  /** Two digits that the device shows and the approver has to enter. */
  number: string;
  wrong_numbers: Generated<number>;
  /** What the owner wrote. */
  reason: string | null;
  address: string | null;
  country: string | null;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  /** Id of a user, or `env`, or `system`. */
  decided_by: string | null;
  /** What the approver wrote. */
  note: string | null;
}

/** The one device that was cleared because nobody was there to clear it. */
interface FirstClearedDeviceTable {
  /** Always true, so that there is one row. */
  one: boolean;
  device_id: string;
  at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    devices: DevicesTable;
    clearance_requests: ClearanceRequestsTable;
    first_cleared_device: FirstClearedDeviceTable;
  }
}
