import { createServer, type RequestListener, type Server } from 'node:http';

export interface Listening {
  origin: string;
  server: Server;
  close: () => Promise<void>;
}

/** Listens on this machine; port 0 picks a free one. */
export async function listen(handler: RequestListener, port = 0): Promise<Listening> {
  const server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${bound}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
