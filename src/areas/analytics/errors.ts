import { defineErrors } from '../../platform/errors/errors.ts';

export const analyticsErrors = defineErrors('analytics', {
  backlog: [
    503,
    'The event store is overloaded. No events from this request were stored. Retry with ' +
      'the same ids.',
  ],
  not_durable: [
    503,
    'The events could not be written to disk. No events from this request were stored. ' +
      'Retry with the same ids.',
  ],
  ids_loading: [
    503,
    'The service just started and is still loading the ids of recent events. No events ' +
      'from this request were stored. Retry with the same ids.',
  ],
  address_budget: [
    429,
    'Your IP address has reached its daily storage limit for requests without an API key. ' +
      'Retry tomorrow, or send an API key.',
  ],
  site_budget: [
    429,
    'This site has reached its daily storage limit for requests without an API key. ' +
      'Retry tomorrow, or send an API key.',
  ],
  too_many_events: [
    413,
    'The batch has too many events. The limit is 500, or 2,000 with an API key.',
  ],
  site_unknown: [404, 'No site has this ID.'],
  bad_pattern: [400, 'A filter has a pattern that is not a valid regular expression (RE2 syntax).'],
  store_failed: [503, 'The event store did not respond. Try again in a moment.'],
  query_timeout: [
    503,
    'The query took too long and was canceled. Choose a shorter period, use fewer ' +
      'filters or avoid regular expressions.',
  ],
  too_many_queries: [429, 'Too many of your queries are waiting. Retry when some have finished.'],
  busy: [503, 'The event store is busy with other queries. Try again in a moment.'],
  goal_unknown: [404, 'This site has no goal with this id.'],
  goal_exists: [409, 'This site already has a goal with this name. Choose another name.'],
  too_many_goals: [409, 'This site has reached its limit of 100 goals. Delete some first.'],
  funnel_unknown: [404, 'No funnel has this id.'],
  funnel_exists: [409, 'This site already has a funnel with this name. Choose another name.'],
  too_many_funnels: [409, 'This site has reached its limit of 100 funnels. Delete some first.'],
  annotation_unknown: [404, 'This site has no annotation with this id.'],
  too_many_annotations: [
    409,
    'This site has reached its limit of 10,000 annotations. Delete some first.',
  ],
  encoding: [415, 'This Content-Encoding is not supported. Send gzip or no encoding.'],
});

/** Error codes of every query to the event store. */
export const plainQueryErrors = [
  'analytics.store_failed',
  'analytics.query_timeout',
  'analytics.too_many_queries',
  'analytics.busy',
] as const;

/** Error codes of queries with filters. */
export const queryErrors = ['analytics.bad_pattern', ...plainQueryErrors] as const;
