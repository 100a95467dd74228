/** What every query to the event store can be refused with. */
export const plainQueryErrors = [
  'analytics.store_failed',
  'analytics.question_too_slow',
  'analytics.too_many_questions',
  'analytics.busy',
] as const;

/** The same for queries with filters. */
export const queryErrors = ['analytics.bad_pattern', ...plainQueryErrors] as const;
