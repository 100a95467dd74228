import type { AddressInfo } from 'node:net';
import { Centrifuge, type Options } from 'centrifuge';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { TestApp } from './app.ts';

/** Makes the app listen on a free loopback port, unless it does. Returns the port. */
export async function listen(app: TestApp): Promise<number> {
  if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' });
  return (app.http.server.address() as AddressInfo).port;
}

/**
 * Creates the official client for one of our sockets. It connects when `connect` is called, and
 * disconnects when the test ends.
 */
export function centrifuge(
  port: number,
  path: string,
  options: Partial<Options> & {
    headers?: Record<string, string>;
    handshake?: Record<string, string>;
  } = {},
): Centrifuge {
  const { handshake = {}, ...others } = options;
  class WithHeaders extends WebSocket {
    constructor(url: string) {
      super(url, { headers: handshake, perMessageDeflate: false });
    }
  }
  const client = new Centrifuge(`ws://127.0.0.1:${port}${path}`, {
    websocket: WithHeaders,
    minReconnectDelay: 20,
    maxReconnectDelay: 200,
    ...others,
  });
  onTestFinished(() => client.disconnect());
  return client;
}
