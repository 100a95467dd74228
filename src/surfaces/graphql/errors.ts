import { defineErrors } from '../../platform/errors/errors.ts';

export const graphqlErrors = defineErrors('graphql', {
  body_invalid: [
    400,
    'The body must be a JSON object with a `query` member, or a list of at most ten such objects.',
  ],
  // The text is the protocol's: clients compare it, and then send the document.
  persisted_query_not_supported: [400, 'PersistedQueryNotSupported'],
  query_missing: [400, '`query` must be a string with a GraphQL document.'],
  parameter_invalid: [
    400,
    '`variables` and `extensions` must be objects or null, and `operationName` must be ' +
      'a string or null.',
  ],
  batch_too_long: [400, 'A batch must have one to ten operations.'],
  document_too_long: [
    400,
    'The document is too long. Shorten it or split it into several requests.',
  ],
  document_too_large: [
    400,
    'The document has too many tokens. Shorten it, or split it into several requests.',
  ],
  document_too_deep: [
    400,
    'The document is nested too deeply. Select fewer nested fields, or split it into ' +
      'several requests.',
  ],
  too_many_aliases: [
    400,
    'The document has too many aliases. Use fewer, or split it into several requests.',
  ],
  alias_too_long: [400, 'The document has an alias that is too long. Shorten it.'],
  too_many_fields: [
    400,
    'The document selects too many fields. Select fewer, or split it into several requests.',
  ],
  too_costly: [
    400,
    'The document is too complex. Request fewer entries, or split it into several requests.',
  ],
  syntax: [400, 'The document is not valid GraphQL.'],
  validation: [400, 'The document does not match the schema.'],
  operation_unclear: [
    400,
    'It is unclear which operation to run. Set `operationName` to the name of an ' +
      'operation in the document.',
  ],
  variables: [400, 'The variables do not match the document.'],
  argument: [400, 'An argument does not match the schema.'],
  cursor: [
    400,
    'This cursor does not belong to this list. Use an `endCursor` from the same list, with ' +
      'the same arguments.',
  ],
  needs_socket: [
    400,
    'Subscriptions need a WebSocket on this path, with the subprotocol graphql-transport-ws.',
  ],
  needs_http: [
    400,
    'The WebSocket accepts only subscriptions. Send queries and mutations over HTTP.',
  ],
  preflight_required: [
    403,
    'A GET request with a cookie must come from a page on this origin, or send the ' +
      'header GraphQL-Require-Preflight.',
  ],
  origin_not_allowed: [
    403,
    'This origin is not allowed to open this WebSocket. An admin can add it to WS_ORIGINS.',
  ],
  not_found: [404, 'No object has this id.'],
  not_by_get: [405, 'GET accepts only queries. Send mutations with POST.'],
  not_acceptable: [
    406,
    'The Accept header must allow application/graphql-response+json or application/json.',
  ],
  content_type: [415, 'The body must be sent as application/json in UTF-8.'],
  too_many_subscriptions: [
    429,
    'This WebSocket has reached its subscription limit. End a subscription first.',
  ],
  too_many_connections: [503, 'Too many WebSockets are open. Try again in a moment.'],
  messages_lost: [
    503,
    'Some messages of this subscription were lost. Subscribe again and fetch the current state.',
  ],
  too_slow: [
    503,
    'Messages arrived faster than the client read them. Subscribe again and fetch the ' +
      'current state.',
  ],
  timeout: [503, 'The operation took too long and was canceled. Request less data, then retry.'],
});
