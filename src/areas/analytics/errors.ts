import { defineErrors } from '../../platform/errors/errors.ts';

export const analyticsErrors = defineErrors('analytics', {
  backlog: [
    503,
    'The event store is behind. ' +
      'Nothing of this request was stored; send it again with the same ids.',
  ],
  not_durable: [
    503,
    'The events could not be written to disk. ' +
      'Nothing of this request was stored; send it again with the same ids.',
  ],
  ids_loading: [
    503,
    'After its start the service still reads the ids of recent events. ' +
      'Nothing of this request was stored; send it again with the same ids.',
  ],
  address_budget: [
    429,
    'Your address has stored as many bytes of events today as one may without an API key. ' +
      'Send it again tomorrow, or with a key.',
  ],
  site_budget: [
    429,
    'This site has stored as many bytes of events today as one may without an API key. ' +
      'Send it again tomorrow, or with a key.',
  ],
  too_many_events: [
    413,
    'The batch has more events than this path accepts: 500, or 2,000 with an API key.',
  ],
  site_unknown: [404, 'There is no site with this site_id.'],
  bad_pattern: [400, 'A filter has a pattern that is no regular expression (RE2 syntax).'],
  store_failed: [503, 'The event store could not answer. Try again in a moment.'],
  question_too_slow: [
    503,
    'This question took too long and was given up. ' +
      'Ask for a shorter period, with fewer filters or without regular expressions.',
  ],
  too_many_questions: [
    429,
    'Too many of your questions are waiting for an answer. Wait for some of them, then ask again.',
  ],
  busy: [503, 'The event store is busy with questions of others. Try again in a moment.'],
  goal_unknown: [404, 'This site has no goal with this id.'],
  goal_exists: [409, 'This site has a goal with this name.'],
  too_many_goals: [409, 'This site has as many goals as a site may have: 100. Delete some first.'],
  funnel_unknown: [404, 'There is no funnel with this id.'],
  funnel_exists: [409, 'This site has a funnel with this name.'],
  too_many_funnels: [
    409,
    'This site has as many funnels as a site may have: 100. Delete some first.',
  ],
  annotation_unknown: [404, 'This site has no annotation with this id.'],
  too_many_annotations: [
    409,
    'This site has as many annotations as a site may have: 10,000. Delete some first.',
  ],
  encoding: [415, 'Only gzip is understood as Content-Encoding.'],
});
