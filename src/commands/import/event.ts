/**
 * An event of POST /analytics/batch/ with an API key. The fields from `visitor_id` on describe the
 * visitor's client as the source recorded it; with `visitor_id` the service takes nothing from the
 * importing request.
 */
export interface ImportEvent {
  event: string;
  url: string;
  site_id: string;
  id: string;
  /** RFC 3339, or Unix ms. */
  timestamp: string | number;
  referrer?: string;
  title?: string;
  props?: Record<string, unknown>;
  revenue?: { amount: number | string; currency: string };
  user_id?: string;
  session_id?: string;
  screen?: string;
  language?: string;
  interactive?: boolean;
  scroll_depth?: number;
  engagement_ms?: number;
  lcp?: number;
  inp?: number;
  fcp?: number;
  ttfb?: number;
  cls?: number;
  tag?: string;
  /** 16 hex digits; all zeros for an unknown visitor. */
  visitor_id: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  browser?: string;
  browser_version?: string;
  os?: string;
  os_version?: string;
  device?: string;
  bot?: boolean;
}

/** The result of a row: an event, the reason why it is invalid, or skipped as not requested. */
export type Mapped = { event: ImportEvent } | { mistake: string } | { skipped: true };

/** A row of a source with the line of the file that it begins on, counted from 1. */
export interface SourceRow {
  line: number;
  mapped: Mapped;
}

/** `visitor_id` of events without a recognisable visitor. */
export const unknownVisitor = '0000000000000000';

type Optional = {
  [K in keyof ImportEvent as undefined extends ImportEvent[K] ? K : never]?:
    ImportEvent[K] | undefined | null;
};

/** Returns the fields that have a value, without empty strings, null and undefined. */
export function omitEmpty(fields: Optional): Partial<ImportEvent> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    ),
  );
}
