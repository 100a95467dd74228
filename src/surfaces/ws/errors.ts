import { defineErrors } from '../../platform/errors/errors.ts';

export const wsErrors = defineErrors('ws', {
  upgrade_required: [
    426,
    'This path speaks WebSocket. Connect with a WebSocket client: wss:// and this path.',
  ],
  origin_not_allowed: [
    403,
    'Pages of this origin may not open this socket. WS_ORIGINS lists those that may.',
  ],
  too_many_connections: [503, 'Too many sockets are open. Try again in a moment.'],
});
