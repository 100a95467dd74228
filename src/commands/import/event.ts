import type { EventInput } from '../../areas/analytics/ingest/schemas.ts';

/**
 * An event of POST /analytics/batch/ with an API key. The fields from `visitor_id` on describe the
 * visitor's client as the source recorded it; with `visitor_id` the service takes nothing from the
 * importing request.
 */
export interface ImportEvent extends EventInput {
  id: string;
  timestamp: string | number;
  visitor_id: string;
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
