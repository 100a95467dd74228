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

/** What a client says first: who it is not, and what it wants to hear, from `position` on. */
export const subscribing = (position?: { epoch: string; offset: number }) =>
  '{"id":1,"connect":{}}\n' +
  subscribe(position === undefined ? {} : { recover: true, ...position });

/** The service's channel `test`, by Centrifugo's protocol. */
export function serviceHub({
  pid,
  port,
  adminKey,
}: Pick<Service, 'pid' | 'port' | 'adminKey'>): Hub {
  return {
    name: 'service',
    pid,
    port,
    subscriber: { path: socketPath, hello: subscribing(), awaited: '{"id":2,"subscribe":{' },
    publisher: {
      path: socketPath,
      hello: JSON.stringify({ id: 1, connect: { token: adminKey } }),
      awaited: '{"id":1,"connect":{',
    },
    message: (data, id) => `{"id":${id},"publish":{"channel":"${channel}","data":${data}}}`,
  };
}

/** A bare `ws` server; `manner` as in bench/programs/bare-ws.ts. */
export async function startBareHub(
  lifetime: Lifetime,
  name: string,
  manner: string,
  settings: Record<string, string> = {},
): Promise<Hub & { stop: () => Promise<void> }> {
  const { pid, message, stop } = await startProgram(lifetime, 'bare-ws', [manner], settings);
  const hello = (path: string) => ({ path, hello: 'hello', awaited: '{"ack":{}}' });
  return {
    name,
    pid,
    port: portSchema.parse(message).port,
    stop,
    subscriber: hello('/sub'),
    // A publisher's hello goes to everybody, before anything is counted, and has nothing in it that
    // would be.
    publisher: hello('/pub'),
    message: (data) => data,
  };
}
