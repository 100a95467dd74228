import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Website {
  /** On another origin than services of tests: `http://localhost:…`. */
  origin: string;
  server: Server;
  close: () => void;
}

/** Starts a web server on a free port of this machine. */
export async function startWebsite(answer: RequestListener): Promise<Website> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    server,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a website whose pages all are this HTML. */
export const startPage = (html: () => string): Promise<Website> =>
  startWebsite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html());
  });
