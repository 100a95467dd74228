import { createTables } from '../../../platform/database/create-tables.ts';

export const deviceTables = {
  /** Addresses are truncated; fingerprints and secrets are hashed. */
  devices: {
    id: 'uuid primary key',
    user_id: 'uuid not null references users on delete cascade',
    state: `text not null check (state in ('pending', 'cleared', 'expired', 'suspended',
      'denied', 'revoked'))`,
    /** When it entered the state. */
    state_at: 'timestamptz not null',
    /** Why it is suspended or revoked: names of risk rules, or `owner`, `admin` and the like. */
    reasons: "text[] not null default '{}'",
    /** Display name, chosen by the user. */
    name: 'text not null',
    /** SHA-256 of the current and the previous cookie secret; null for clients without cookies. */
    secret_hash: 'text',
    previous_secret_hash: 'text',
    /** How often the secret has been replaced. */
    generation: 'integer not null default 0',
    /** Random value that derives the current secret from the previous one. */
    rotation: 'text',
    rotated_at: 'timestamptz',
    /** Hash of the network and User-Agent that the current secret was sent to. */
    rotated_from: 'text',
    /** When the current secret was first used. */
    confirmed_at: 'timestamptz',
    /** Thumbprint (RFC 7638) of its key. */
    jkt: 'text',
    /** The passkey bound to it. */
    passkey_id: 'uuid references passkeys on delete set null',
    /** HMAC-SHA-256, lower-case hex. */
    fingerprint_hash: 'text not null',
    /** Parsed from the User-Agent. */
    platform: 'text',
    os: 'text',
    browser: 'text',
    browser_major: 'integer',
    /** ISO 3166-1 alpha-2: the accepted countries, and the last one. */
    countries: "text[] not null default '{}'",
    country: 'text',
    /** When it was last seen with a known country. */
    country_at: 'timestamptz',
    /** A `Suspect`: the signals that made a risk rule suspend the device. */
    suspect: 'jsonb',
    /** Truncated to a network. */
    address: 'text',
    /** The session that enrolled it. */
    enrolled_in: 'uuid unique',
    first_seen: 'timestamptz not null',
    last_seen: 'timestamptz not null',
    cleared_at: 'timestamptz',
    /**
     * Cleared: when the clearance ends without further use. Pending: when the request ends.
     * Suspended: when it is removed for good.
     */
    expires_at: 'timestamptz',
    /** Revoked: when all its sessions were ended. */
    sessions_ended_at: 'timestamptz',
  },
  /** Requests for clearance, open and settled. */
  clearance_requests: {
    id: 'uuid primary key',
    device_id: 'uuid not null references devices on delete cascade',
    user_id: 'uuid not null references users on delete cascade',
    state: "text not null check (state in ('open', 'approved', 'denied', 'expired', 'withdrawn'))",
    /** Two digits that the device shows and the approver has to enter. */
    number: 'text not null',
    wrong_numbers: 'integer not null default 0',
    /** What the owner wrote. */
    reason: 'text',
    address: 'text',
    country: 'text',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
    decided_at: 'timestamptz',
    /** Id of a user, `env` or `system`. */
    decided_by: 'text',
    /** What the approver wrote. */
    note: 'text',
  },
  /** The one device that was cleared without an approver, because none existed. */
  first_cleared_device: {
    /** Always true: the primary key allows one row. */
    one: 'boolean primary key check (one)',
    device_id: 'uuid not null',
    at: 'timestamptz not null',
  },
} as const;

export const devices = createTables(deviceTables, [
  'create index devices_of_user on devices (user_id)',
  `create unique index devices_key on devices (user_id, jkt)
    where jkt is not null and state <> 'revoked'`,
  `create index devices_ending on devices (expires_at) where state in ('cleared', 'pending')`,
  `create index devices_leaving on devices (state_at) where state not in ('pending', 'cleared')`,
  // Nearly always empty: revoked devices whose sessions may still be open.
  `create index devices_unfinished on devices (id)
    where state = 'revoked' and sessions_ended_at is null`,
  'create index devices_name_prefix on devices (fold_case(name) text_pattern_ops, id)',
  'create index devices_by_time on devices (first_seen, id)',
  'create index devices_by_state on devices (state, first_seen, id)',
  `create unique index clearance_requests_open on clearance_requests (device_id)
    where state = 'open'`,
  'create index clearance_requests_of_user on clearance_requests (user_id, created_at)',
]);
