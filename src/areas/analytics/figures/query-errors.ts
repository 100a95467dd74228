/** Error codes of every query to the event store. */
export const plainQueryErrors = [
  'analytics.store_failed',
  'analytics.query_timeout',
  'analytics.too_many_queries',
  'analytics.busy',
] as const;

/** Error codes of queries with filters. */
export const queryErrors = ['analytics.bad_pattern', ...plainQueryErrors] as const;
