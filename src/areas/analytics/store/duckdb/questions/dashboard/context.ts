import type { DashboardQuestion } from '../../../questions.ts';
import type { Session } from '../../sql/session.ts';
import type { Selection } from '../selection.ts';

/** What every part of a dashboard is read with. */
export interface DashboardContext {
  session: Session;
  selection: Selection;
  question: DashboardQuestion;
  /** Summarised UTC days within the range, ascending, counted from 1970. */
  days: readonly number[];
}
