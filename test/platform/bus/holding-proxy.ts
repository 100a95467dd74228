import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy to Redis that can hold back chosen commands of clients. It ends with the test. */
export async function holdingProxy(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = {
    holds: undefined as string | undefined,
    heldSince: undefined as number | undefined,
  };
  const waiting: (() => void)[] = [];
  const server = createServer((client) => {
    const redis = connect(Number(port), hostname);
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    redis.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const isHeld =
        state.holds !== undefined && chunk.toString('latin1').toLowerCase().includes(state.holds);
      if (!isHeld) {
        redis.write(chunk);
        return;
      }
      state.heldSince ??= Date.now();
      waiting.push(() => redis.write(chunk));
    });
    client.on('close', () => redis.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(target).pathname}`,
    state,
    hold: (command: string) => {
      state.holds = command;
    },
    letGo(): void {
      state.holds = undefined;
      waiting.splice(0).forEach((go) => go());
    },
    /** Closes all connections. */
    cut: () => sockets.forEach((socket) => socket.destroy()),
  };
}
