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

declare module '../../platform/database/tables.ts' {
  interface Tables {
    delivery_zones: DeliveryZonesTable;
    delivery_intervals: DeliveryIntervalsTable;
  }
}
