/** What every question to the event store can be refused with. */
export const plainQuestionErrors = [
  'analytics.store_failed',
  'analytics.question_too_slow',
  'analytics.too_many_questions',
  'analytics.busy',
] as const;

/** The same for questions with filters. */
export const questionErrors = ['analytics.bad_pattern', ...plainQuestionErrors] as const;
