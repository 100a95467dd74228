/**
 * An event as POST /analytics/batch/ takes it with an API key. The fields from `visitor_id` on
 * describe the visitor's client as the source knew it; with `visitor_id` nothing is taken from the
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
  /** 16 hex digits; sixteen zeros for a visitor that is not to be recognised. */
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

/** What a row became: an event, the reason why it can't be one, or nothing if not asked for. */
export type Mapped = { event: ImportEvent } | { mistake: string } | { skipped: true };

/** One row of a source with the line of the file it begins on (the first line is 1). */
export interface SourceRow {
  line: number;
  mapped: Mapped;
}

/** The visitor of an event that belongs to nobody who may be recognised. */
export const nobody = '0000000000000000';

type Optional = {
  [K in keyof ImportEvent as undefined extends ImportEvent[K] ? K : never]?:
    ImportEvent[K] | undefined | null;
};

/** The optional fields that have a value: empty texts, null and undefined are left out. */
export function present(fields: Optional): Partial<ImportEvent> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    ),
  );
}
