import type { DashboardStoreQuery } from '../../../queries.ts';
import type { Session } from '../../sql/session.ts';
import type { Selection } from '../selection.ts';
import type { Steps } from '../steps.ts';

/** Shared by the readers of all parts of a dashboard. */
export interface DashboardContext {
  session: Session;
  selection: Selection;
  query: DashboardStoreQuery;
  /** Summarised UTC days within the range, as ascending days since 1970. */
  days: readonly number[];
  /** The goal whose conversions are counted. */
  goal: Steps | undefined;
}
