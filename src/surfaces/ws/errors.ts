import { defineErrors } from '../../platform/errors/errors.ts';

export const wsErrors = defineErrors('ws', {
  upgrade_required: [
    426,
    'This path requires a WebSocket. Connect to it with a WebSocket client, over wss://.',
  ],
  origin_not_allowed: [
    403,
    'This origin is not allowed to open this WebSocket. An admin can add it to WS_ORIGINS.',
  ],
  too_many_connections: [503, 'Too many WebSockets are open. Try again in a moment.'],
});
