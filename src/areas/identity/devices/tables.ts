import type { ColumnType, Generated } from 'kysely';

/** Addresses are truncated; fingerprints and secrets are hashed. */
export interface DevicesTable {
  id: string;
  user_id: string;
  state: 'pending' | 'cleared' | 'expired' | 'suspended' | 'denied' | 'revoked';
  /** When it entered the state. */
  state_at: Date;
  /** Why it is suspended or revoked: names of risk rules, or `owner`, `admin` and the like. */
  reasons: string[];
  /** Display name, chosen by the user. */
  name: string;
  /** SHA-256 of the current and the previous cookie secret; null for clients without cookies. */
  secret_hash: string | null;
  previous_secret_hash: string | null;
  /** How often the secret has been replaced. */
  generation: number;
  /** Random value that derives the current secret from the previous one. */
  rotation: string | null;
  rotated_at: Date | null;
  /** Hash of the network and User-Agent that the current secret was sent to. */
  rotated_from: string | null;
  /** When the current secret was first used. */
  confirmed_at: Date | null;
  /** Thumbprint (RFC 7638) of its key. */
  jkt: string | null;
  /** The passkey bound to it. */
  passkey_id: string | null;
  /** HMAC-SHA-256, lower-case hex. */
  fingerprint_hash: string;
  /** Parsed from the User-Agent. */
  platform: string | null;
  os: string | null;
  browser: string | null;
  browser_major: number | null;
  /** ISO 3166-1 alpha-2: the accepted countries, and the last one. */
  countries: string[];
  country: string | null;
  /** When it was last seen with a known country. */
  country_at: Date | null;
  /** A `Suspect`: the signals that made a risk rule suspend the device. */
  suspect: ColumnType<unknown, string | null, string | null>;
  /** Truncated to a network. */
  address: string | null;
  /** The session that enrolled it. */
  enrolled_in: string | null;
  first_seen: Date;
  last_seen: Date;
  cleared_at: Date | null;
  /** Cleared: when the clearance ends without further use. Pending: when the request ends. */
  expires_at: Date | null;
  /** Revoked: when all its sessions were ended. */
  sessions_ended_at: Date | null;
}

/** Requests for clearance, open and settled. */
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
  /** Id of a user, `env` or `system`. */
  decided_by: string | null;
  /** What the approver wrote. */
  note: string | null;
}

/** The one device that was cleared without an approver, because none existed. */
interface FirstClearedDeviceTable {
  /** Always true: the primary key allows one row. */
  one: boolean;
  device_id: string;
  at: Date;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    devices: DevicesTable;
    clearance_requests: ClearanceRequestsTable;
    first_cleared_device: FirstClearedDeviceTable;
  }
}
