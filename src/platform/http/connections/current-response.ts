import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection's current answer, by the only name that Node has for it, kept since 2012. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof ServerResponse ? answer : undefined;
}
