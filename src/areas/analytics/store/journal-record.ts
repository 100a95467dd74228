import { z } from 'zod';
import type { Campaign } from '../links/campaign.ts';

/**
 * An admitted event in the journal: short keys, absent when unset. Only this service writes the
 * journal, so `parseRecord` checks only the kind of a record, and relies on the CRC for the rest.
 */
export interface JournalEvent {
  /** Numeric site id. */
  s: number;
  /** Event time, Unix ms. */
  t: number;
  /** Event id (UUID). */
  i: string;
  /** 1 when the client chose the id. */
  k?: 1;
  /** Name; absent for `pageview`. */
  n?: string;
  /** Host, path and query of the page. */
  h?: string;
  p: string;
  q?: string;
  /** Visitor hash as 16 hex digits; absent when the visitor opted out of recognition. */
  v?: string;
  /** 1 when the site identified the visitor by `anonymous_id`; a `user_id` is in `u`. */
  o?: 1;
  /** The same visitor under yesterday's salt, for visits that span midnight. */
  w?: string;
  /** Visit id supplied by the client. */
  z?: string;
  /** Campaign tags of the page's URL. */
  m?: Campaign;
  r?: string;
  ti?: string;
  pr?: Record<string, string>;
  re?: readonly [amount: string, currency: string];
  u?: string;
  sc?: string;
  l?: string;
  /** 0 when the event does not end a bounce. */
  x?: 0;
  sd?: number;
  en?: number;
  /** lcp, inp, fcp, ttfb (ms) and cls. */
  wv?: readonly (number | null)[];
  tg?: string;
  c?: string;
  /** User agent when it differs from the request's. */
  a?: string;
  /** Browser, browser version, OS, OS version and device of an imported event. */
  ag?: readonly (string | null)[];
  /** 1 when an imported event was sent by a bot; 0 when a program with an API key reported it. */
  b?: 0 | 1;
}

/** The events of one request. */
export interface EventsRecord {
  kind: 'events';
  /** Receipt time, Unix ms. */
  r: number;
  /** User agent of the request. */
  a: string;
  e: readonly JournalEvent[];
}

/** Counts of dropped events. */
export interface DropsRecord {
  kind: 'drops';
  d: readonly { s: number; hour: number; reason: string; n: number }[];
}

export type JournalRecord = EventsRecord | DropsRecord;

const recordHead = z.object({ kind: z.enum(['events', 'drops']) });

/** Encodes a record as JSON for the journal. */
export function encodeRecord(record: JournalRecord): string {
  return JSON.stringify(record);
}

/** Decodes the output of `encodeRecord`. Throws if the bytes are not a record. */
export function parseRecord(bytes: Buffer): JournalRecord {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  recordHead.parse(value);
  return value as JournalRecord;
}
