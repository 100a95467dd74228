import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The answer that a connection is busy with. Nothing public leads from one to the other; Node has
 * kept it under this name since 2012.
 */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof ServerResponse ? answer : undefined;
}
