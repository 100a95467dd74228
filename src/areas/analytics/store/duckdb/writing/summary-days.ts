import type { listValue } from '@duckdb/node-api';
import { dayMs } from '../../../../../lib/durations.ts';
import { countedColumns } from '../sql/breakdown-kinds.ts';
import { slotMs } from '../sql/slots.ts';

/** The days being summarised, as SQL. */
export interface SummaryDays {
  /** The condition that a time lies between the first and the last of them. */
  within: (column: string) => string;
  /** The condition that a day is one of them, given as `$1`. */
  chosen: (column: string) => string;
  list: ReturnType<typeof listValue>;
}

export const dayKeys = ['site_id', 'day'];

/** The UTC day of a time column, counted from 1970. */
export const dayOf = (column: string) => `(epoch_ms(${column}) // ${dayMs})::INTEGER`;

/** The start of the quarter of an hour that a time column falls into. */
export const slotOf = (column: string) =>
  `make_timestamp_ms(epoch_ms(${column}) // ${slotMs} * ${slotMs})::TIMESTAMP_MS`;

/** SELECT of the visits that summaries count, with their day. */
export const visitsWithDay = (where: string) =>
  `SELECT site_id, visitor_id, ${dayOf('started')} AS day, ${countedColumns}
   FROM visits WHERE ${where} AND NOT bot`;
