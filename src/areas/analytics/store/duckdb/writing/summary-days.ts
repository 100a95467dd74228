import type { listValue } from '@duckdb/node-api';
import { dayMs } from '../../../../../lib/durations.ts';
import { countedColumns } from '../sql/breakdown-kinds.ts';
import { slotMs } from '../sql/days.ts';

/** SQL conditions on the days being summarised. */
export interface SummaryDays {
  /** Returns the condition that a time lies between the first and the last day. */
  within: (column: string) => string;
  /** Returns the condition that a day is one of the days, passed as `$1`. */
  chosen: (column: string) => string;
  list: ReturnType<typeof listValue>;
}

export const dayKeys = ['site_id', 'day'];

/** Returns SQL of the UTC day of a time column, in days since 1970. */
export const dayOf = (column: string) => `(epoch_ms(${column}) // ${dayMs})::INTEGER`;

/** Returns SQL of the start of the 15-minute slot that a time column falls into. */
export const slotOf = (column: string) =>
  `make_timestamp_ms(epoch_ms(${column}) // ${slotMs} * ${slotMs})::TIMESTAMP_MS`;

/** Returns a SELECT of the visits that summaries count, with their day. */
export const visitsWithDay = (where: string) =>
  `SELECT site_id, visitor_id, ${dayOf('started')} AS day, ${countedColumns}
   FROM visits WHERE ${where} AND NOT bot`;
