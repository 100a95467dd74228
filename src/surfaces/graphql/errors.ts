import { defineErrors } from '../../platform/errors/errors.ts';

export const graphqlErrors = defineErrors('graphql', {
  body_invalid: [
    400,
    'The body must be JSON: an object with the member `query`, or a list of at most ten of them.',
  ],
  query_missing: [400, '`query` must be a text with a GraphQL document.'],
  parameter_invalid: [
    400,
    '`variables` and `extensions` must be objects, `operationName` must be a text, or null.',
  ],
  batch_too_long: [400, 'A batch has one to ten operations.'],
  document_too_long: [400, 'The document is too long.'],
  document_too_large: [400, 'The document has too many tokens.'],
  document_too_deep: [400, 'The document is nested too deeply.'],
  too_many_aliases: [400, 'The document has too many aliases.'],
  alias_too_long: [400, 'An alias of the document is too long.'],
  too_many_fields: [400, 'The document selects too many fields.'],
  too_costly: [
    400,
    'The document asks for too much at once. Ask for fewer entries, or in several requests.',
  ],
  syntax: [400, 'The document is not GraphQL.'],
  validation: [400, 'The document does not fit the schema.'],
  operation_unclear: [
    400,
    'It is not clear which operation of the document is meant: ' +
      'name one that is there in `operationName`.',
  ],
  variables: [400, 'The variables do not fit the document.'],
  argument: [400, 'An argument does not fit the schema.'],
  cursor: [400, 'This cursor is none of this list.'],
  needs_socket: [
    400,
    'Subscriptions are sent over a WebSocket on this path, ' +
      'with the subprotocol graphql-transport-ws.',
  ],
  needs_http: [
    400,
    'Over the WebSocket only subscriptions are answered: send queries and mutations by HTTP.',
  ],
  preflight_required: [
    403,
    'With a cookie, a GET must come from a page of this origin, ' +
      'or have the header GraphQL-Require-Preflight.',
  ],
  origin_not_allowed: [
    403,
    'Pages of this origin may not open this socket. WS_ORIGINS lists those that may.',
  ],
  not_found: [404, 'There is nothing with this id.'],
  not_by_get: [405, 'Only queries are answered to GET. Send mutations by POST.'],
  not_acceptable: [
    406,
    'The answer is application/graphql-response+json or application/json: accept one of them.',
  ],
  content_type: [
    415,
    'Bodies are read as application/json in UTF-8. ' +
      'Others could be sent by a page of another site without asking.',
  ],
  too_many_subscriptions: [429, 'This socket has as many subscriptions as one may have.'],
  too_many_connections: [503, 'Too many sockets are open. Try again in a moment.'],
  messages_lost: [
    503,
    'Messages of this subscription were lost on the way. ' +
      'Subscribe again, and ask for how things are now.',
  ],
  too_slow: [
    503,
    'Messages came faster than they were read. Subscribe again, and ask for how things are now.',
  ],
  timeout: [503, 'The operation took too long and was given up.'],
});
