import type { DashboardStoreQuery } from '../../../queries.ts';
import type { Session } from '../../sql/session.ts';
import type { Selection } from '../selection.ts';

/** What every part of a dashboard is read with. */
export interface DashboardContext {
  session: Session;
  selection: Selection;
  query: DashboardStoreQuery;
  /** Summarised UTC days within the range, ascending, counted from 1970. */
  days: readonly number[];
}
