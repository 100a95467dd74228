import type { ColumnType, Generated } from 'kysely';
import type { DefinitionsTable } from './analytics-goal-tables.ts';
import type { AnnotationsTable } from './annotation-tables.ts';
import type { AnalyticsReportsTable, AnalyticsSharesTable } from './analytics-sharing-tables.ts';
import type {
  ClearanceRequestsTable,
  DevicesTable,
  FirstClearedDeviceTable,
} from './device-tables.ts';
import type { DeliveryIntervalsTable, DeliveryZonesTable, SignupsTable } from './site-tables.ts';
import type {
  StatusComponentsTable,
  StatusHeartbeatTable,
  StatusIncidentComponentsTable,
  StatusIncidentsTable,
  StatusIncidentUpdatesTable,
  StatusResponseTimesTable,
  StatusSpansTable,
  StatusSubscribersTable,
} from './status-tables.ts';

/**
 * The data model of the record store, as the newest migration leaves it.
 * timestamptz is a Date, int8 a number, date the text YYYY-MM-DD, jsonb is parsed; jsonb is written with JSON.stringify.
 */
export interface Tables {
  api_keys: ApiKeysTable;
  sites: SitesTable;
  salts: SaltsTable;
  users: UsersTable;
  identities: IdentitiesTable;
  totp_factors: TotpFactorsTable;
  backup_codes: BackupCodesTable;
  passkeys: PasskeysTable;
  audit_events: AuditEventsTable;
  deliveries: DeliveriesTable;
  payment_events: PaymentEventsTable;
  plans: PlansTable;
  devices: DevicesTable;
  clearance_requests: ClearanceRequestsTable;
  first_cleared_device: FirstClearedDeviceTable;
  status_components: StatusComponentsTable;
  status_spans: StatusSpansTable;
  status_incidents: StatusIncidentsTable;
  status_incident_components: StatusIncidentComponentsTable;
  status_incident_updates: StatusIncidentUpdatesTable;
  status_response_times: StatusResponseTimesTable;
  status_heartbeat: StatusHeartbeatTable;
  status_subscribers: StatusSubscribersTable;
  delivery_zones: DeliveryZonesTable;
  delivery_intervals: DeliveryIntervalsTable;
  signups: SignupsTable;
  goals: DefinitionsTable;
  funnels: DefinitionsTable;
  annotations: AnnotationsTable;
  analytics_shares: AnalyticsSharesTable;
  analytics_reports: AnalyticsReportsTable;
}

/** Bearer keys. The key itself is nowhere: only its SHA-256. */
export interface ApiKeysTable {
  /** UUID version 7, so that ids sort by age. */
  id: string;
  name: string;
  /** SHA-256 of the whole key, lower-case hex. */
  secret_hash: string;
  /** First characters of the key, to recognise it by. */
  hint: string;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** Websites and apps that events come from. */
export interface SitesTable {
  /** The site's number in the event store. */
  id: Generated<number>;
  /** The name that clients send. At most 64 characters. */
  site_id: string;
  created_at: Date;
  registered_by: 'open' | 'admin';
  closed: Generated<boolean>;
  settings: ColumnType<unknown, string | undefined, string>;
}

/** Random daily salts of the visitor hashes; rows older than two days are deleted. */
export interface SaltsTable {
  day: string;
  salt: Buffer;
  created_at: Date;
}

/** People. What they are called and reached by is in `identities`. */
export interface UsersTable {
  /** UUID version 7. */
  id: string;
  name: string | null;
  picture: string | null;
  roles: string[];
  created_at: Date;
  last_seen_at: Date | null;
  disabled_at: Date | null;
}

/** What a person can prove to be: an address, a number, an account elsewhere. A verified one belongs to one person. */
export interface IdentitiesTable {
  id: string;
  user_id: string;
  kind: 'email' | 'phone' | 'idp';
  /** Normalised: lower-case address, E.164 number, `issuer subject`. */
  key: string;
  /** As it was given. */
  value: string;
  verified_at: Date | null;
  created_at: Date;
}

/** Who did what. Rows are only added; the retention cuts addresses and deletes old rows. */
export interface AuditEventsTable {
  /** UUID version 7 of the instant `at`: ids sort by time. */
  id: string;
  at: Date;
  /** Dot name: `session.created`. */
  action: string;
  outcome: 'success' | 'failure' | 'denied';
  /** A code such as `otp.invalid`. */
  reason: string | null;
  actor_kind: 'user' | 'api_key' | 'system' | 'anonymous';
  actor_id: string | null;
  target_kind: string | null;
  target_id: string | null;
  /** An IP address; later only its network, which has a `/` in it. */
  address: string | null;
  request_id: string | null;
  details: ColumnType<unknown, string | undefined, string>;
}

/** Messages that were sent to people, without what they said and to whom. Rows are deleted after 30 days. */
export interface DeliveriesTable {
  /** UUID version 7. */
  id: string;
  /** HMAC-SHA-256 of the sender's idempotency key, lower-case hex. */
  key_hash: string;
  channel: 'sms' | 'email';
  template: string;
  /** HMAC-SHA-256 of the recipient, lower-case hex. */
  to_hash: string;
  status: 'queued' | 'sent' | 'failed' | 'expired';
  attempts: number;
  provider: string;
  /** The provider's own id of the message. */
  provider_reference: string | null;
  /** Why the last attempt failed: `http_500`, `smtp_550`, `timeout`. */
  error_code: string | null;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

/** Authenticator apps (RFC 6238): one for a person. */
export interface TotpFactorsTable {
  id: string;
  user_id: string;
  /** Sealed: the store alone can't make codes. */
  sealed_secret: string;
  /** The newest time step a code was taken of: each counts once. */
  last_step: Generated<number>;
  created_at: Date;
  /** Null until the first right code. */
  verified_at: Date | null;
  last_used_at: Date | null;
}

/** Single-use codes for who has lost the phone. Only their hashes. */
export interface BackupCodesTable {
  id: string;
  user_id: string;
  salt: string;
  hash: string;
  created_at: Date;
  used_at: Date | null;
}

/** WebAuthn credentials: up to twenty for a person. */
export interface PasskeysTable {
  id: string;
  user_id: string;
  /** Base64url, as the authenticator gave it. */
  credential_id: string;
  /** COSE (RFC 9052). */
  public_key: Buffer;
  /** How often the authenticator says it has signed; some always say 0. */
  counter: number;
  /** How browsers reach it: `internal`, `usb`, `hybrid`, … */
  transports: string[];
  /** Whether it can leave the device that made it. */
  device_type: 'singleDevice' | 'multiDevice';
  /** Whether it has, when it was last used. */
  backed_up: boolean;
  /** The model of the authenticator; zeros when it does not tell. */
  aaguid: string;
  /** What the person calls it. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** What the payment provider has reported, each event once. */
export interface PaymentEventsTable {
  /** The provider's id of the event. */
  id: string;
  type: string;
  /** When it happened, by the provider's clock. */
  created: Date;
  received_at: Date;
  /** The whole event. It names people and what they pay: never in a log. */
  payload: ColumnType<unknown, string, string>;
  status: 'pending' | 'done' | 'ignored' | 'failed';
  attempts: Generated<number>;
  /** Why it failed: `user_unknown`. */
  error_code: string | null;
  processed_at: Date | null;
}

/** What each person pays for. */
export interface PlansTable {
  user_id: string;
  /** Null until an event has named it. */
  plan: string | null;
  /** The provider's status of the subscription: `active`, `past_due`, `canceled`. */
  status: string;
  current_period_end: Date | null;
  customer_id: string | null;
  subscription_id: string | null;
  updated_at: Date;
  /** When the newest event in it happened. */
  event_created: Date;
}
