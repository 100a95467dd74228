import type { ColumnType } from 'kysely';

/** Areas that parcels are delivered to, and the services there. */
export interface DeliveryZonesTable {
  /** UUID version 7. */
  id: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Unique within its country. */
  name: string;
  /** The highest one wins. */
  priority: number;
  /** The currency of the prices, ISO 4217. */
  currency: string | null;
  /** Codes, ranges and prefixes as entered. */
  areas: ColumnType<unknown, string, string>;
  services: ColumnType<unknown, string, string>;
  /** True: applies to its own codes only, and does not define the served area. */
  is_rule: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A zone's codes, ranges and prefixes as intervals of keys, from `low` to `high` inclusive. */
interface DeliveryIntervalsTable {
  zone_id: string;
  country: string;
  low: string;
  high: string;
  /** False when the interval consists of the keys that start with `low`. */
  is_range: boolean;
  /** Whether the interval is a single code. */
  is_exact: boolean;
  /** Length of the prefix shared by all of its keys. */
  specificity: number;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    delivery_zones: DeliveryZonesTable;
    delivery_intervals: DeliveryIntervalsTable;
  }
}
