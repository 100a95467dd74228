import { z } from 'zod';
import type { Hub } from './fan-out.ts';
import type { Lifetime } from './lifetime.ts';
import { startProgram } from './processes.ts';
import type { Service } from './service.ts';

const portSchema = z.object({ port: z.number() });

const socketPath = '/ws/svc/';
export const channel = 'test';
const subscribe = (position: object = {}) =>
  JSON.stringify({ id: 2, subscribe: { channel, ...position } });

/** A client's first message: connects anonymously and subscribes, from `position` on. */
export const subscribeCommands = (position?: { epoch: string; offset: number }) =>
  '{"id":1,"connect":{}}\n' +
  subscribe(position === undefined ? {} : { recover: true, ...position });

/** The channel `test` of the service, over Centrifugo's protocol. */
export function serviceHub({
  pid,
  port,
  adminKey,
}: Pick<Service, 'pid' | 'port' | 'adminKey'>): Hub {
  return {
    name: 'service',
    pid,
    port,
    subscriber: {
      path: socketPath,
      hello: subscribeCommands(),
      expectedReply: '{"id":2,"subscribe":{',
    },
    publisher: {
      path: socketPath,
      hello: JSON.stringify({ id: 1, connect: { token: adminKey } }),
      expectedReply: '{"id":1,"connect":{',
    },
    message: (data, id) => `{"id":${id},"publish":{"channel":"${channel}","data":${data}}}`,
  };
}

/** Starts a bare `ws` server; `method` as in bench/programs/bare-ws.ts. */
export async function startBareHub(
  lifetime: Lifetime,
  name: string,
  method: string,
  settings: Record<string, string> = {},
): Promise<Hub & { stop: () => Promise<void> }> {
  const { pid, message, stop } = await startProgram(lifetime, 'bare-ws', [method], settings);
  const hello = (path: string) => ({ path, hello: 'hello', expectedReply: '{"ack":{}}' });
  return {
    name,
    pid,
    port: portSchema.parse(message).port,
    stop,
    subscriber: hello('/sub'),
    // A publisher's hello goes to all subscribers, before the measurement, and contains no marker.
    publisher: hello('/pub'),
    message: (data) => data,
  };
}
