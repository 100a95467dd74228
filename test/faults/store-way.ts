import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * `away`: connections are refused. `silent`: they open and nothing is ever answered. `slow`: every
 * answer comes 400 ms late.
 */
export type WayState = 'open' | 'away' | 'silent' | 'slow';

const slowMs = 400;

/** A way on loopback to the server at `url`, which can be made to fail, and goes with the test. */
export async function openStoreWay(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let state: WayState = 'open';
  let server: Server | undefined;

  function answer(incoming: Socket, bytes: Buffer): void {
    if (state === 'open') incoming.write(bytes);
    else if (state === 'slow') setTimeout(() => incoming.writable && incoming.write(bytes), slowMs);
  }

  function relay(incoming: Socket): void {
    const outgoing = connect(Number(target.port), target.hostname);
    const end = () => {
      for (const socket of [incoming, outgoing]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [incoming, outgoing]) {
      socket.setNoDelay(true);
      sockets.add(socket.on('error', () => undefined).on('close', end));
    }
    incoming.on('data', (bytes: Buffer) => outgoing.write(bytes));
    outgoing.on('data', (bytes: Buffer) => answer(incoming, bytes));
  }

  async function listen(port: number): Promise<number> {
    server = createServer(relay).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    return address.port;
  }

  function cut(): void {
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }

  const port = await listen(0);
  onTestFinished(cut);
  const way = new URL(url);
  way.port = String(port);
  return {
    url: way.href.replace(/\/$/, ''),
    async become(next: WayState): Promise<void> {
      const before = state;
      state = next;
      // What was silent has lost bytes for good: those connections can't go on.
      if (next === 'away' || before === 'silent') cut();
      if (next !== 'away' && server === undefined) await listen(port);
    },
  };
}

export type StoreWay = Awaited<ReturnType<typeof openStoreWay>>;
