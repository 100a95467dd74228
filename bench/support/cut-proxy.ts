import { connect, createServer, type Socket } from 'node:net';

/** Starts a TCP proxy on a free loopback port that can cut all its connections. */
export async function startCutProxy(target: number) {
  const open = new Set<Socket>();
  let isCut = false;
  let cuts = 0;

  function track(socket: Socket, other: Socket): void {
    open.add(socket);
    socket
      .setNoDelay(true)
      .on('error', () => undefined)
      .on('close', () => {
        open.delete(socket);
        other.destroy();
      });
  }

  const server = createServer((client) => {
    if (isCut) {
      client.on('error', () => undefined).destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    track(client, upstream);
    track(upstream, client);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const destroyAll = (): void => {
    for (const socket of open) socket.destroy();
  };

  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cuts: (): number => cuts,
    /** Breaks every connection, and refuses new ones until `restore`. */
    cut(): void {
      isCut = true;
      cuts += 1;
      destroyAll();
    },
    restore(): void {
      isCut = false;
    },
    stop(): void {
      server.close();
      destroyAll();
    },
  };
}
