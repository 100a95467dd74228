import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * `away`: connections are refused. `silent`: they open, and nothing is answered. `slow`: every
 * answer is 400 ms late.
 */
export type ProxyState = 'open' | 'away' | 'silent' | 'slow';

const slowMs = 400;

/** Opens a loopback proxy to the server at `url` that can be made to fail. Ends with the test. */
export async function openStoreProxy(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let state: ProxyState = 'open';
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
  const proxyUrl = new URL(url);
  proxyUrl.port = String(port);
  return {
    url: proxyUrl.href.replace(/\/$/, ''),
    async setState(next: ProxyState): Promise<void> {
      const before = state;
      state = next;
      // Silent connections have lost bytes for good and can't continue.
      if (next === 'away' || before === 'silent') cut();
      if (next !== 'away' && server === undefined) await listen(port);
    },
  };
}
