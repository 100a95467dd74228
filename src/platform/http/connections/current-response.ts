import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Returns a connection's current response, from the only property that Node has for it (since
 * 2012).
 */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse ? response : undefined;
}
