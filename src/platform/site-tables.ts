import type { ColumnType } from 'kysely';

/** Where parcels go, and how. */
export interface DeliveryZonesTable {
  /** UUID version 7. */
  id: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** One of its country. */
  name: string;
  /** The higher one wins. */
  priority: number;
  /** Of its prices, ISO 4217. */
  currency: string | null;
  /** Codes, ranges and prefixes, as they were given. */
  areas: ColumnType<unknown, string, string>;
  services: ColumnType<unknown, string, string>;
  created_at: Date;
  updated_at: Date;
}

/** What a zone's codes, ranges and prefixes are to comparisons: from `low` to `high`, both within. */
export interface DeliveryIntervalsTable {
  zone_id: string;
  country: string;
  low: string;
  high: string;
  /** False: `low` is what the keys in it begin with. */
  is_range: boolean;
  /** Whether it names one code. */
  is_exact: boolean;
  /** How many characters all keys in it have in common. */
  specificity: number;
}

/** Who has signed up, and who is about to. */
export interface SignupsTable {
  /** UUID version 7. */
  id: string;
  /** In lower case. */
  email: string;
  name: string | null;
  company: string | null;
  /** E.164. */
  phone: string | null;
  plan: string | null;
  referral_code: string | null;
  /** When they agreed to the terms; null when they were not asked. */
  consent_at: Date | null;
  created_at: Date;
  /** Null until the link in the message was followed. */
  confirmed_at: Date | null;
  /** SHA-256 of the link's secret; null when it is used up. */
  confirm_hash: string | null;
  last_asked_at: Date;
  /** How many messages were sent to confirm it. */
  asked: number;
}
