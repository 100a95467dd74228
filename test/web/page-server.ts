import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A web server with pages, whose WebSockets reach the service over connections that can be cut. */
export interface PageServer {
  origin: string;
  /** Cuts all WebSocket connections, as a failing network does. */
  cut: () => void;
  /** Returns how many WebSockets were opened. */
  opened: () => number;
  /** The upgrade requests. */
  handshakes: IncomingMessage[];
  close: () => Promise<void>;
}

/** Serves `pages` by path and proxies other requests and WebSockets to the service at `port`. */
export async function startPageServer(
  pages: Readonly<Record<string, string>>,
  port: number,
): Promise<PageServer> {
  const cuttable = new Set<Duplex>();
  const handshakes: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page !== undefined) {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>Page</title><link rel="icon" href="data:,">${page}`);
    } else {
      void fetch(`http://127.0.0.1:${port}${request.url ?? ''}`).then(async (answer) =>
        response
          .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
          .end(await answer.text()),
      );
    }
  });
  server.on('upgrade', (request, socket: Duplex) => {
    handshakes.push(request);
    const upstream: Socket = connect(port, '127.0.0.1');
    const headers = request.rawHeaders
      .map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      .join('');
    upstream.write(`GET ${request.url ?? ''} HTTP/1.1\r\n${headers}\r\n`);
    for (const each of [socket, upstream]) {
      cuttable.add(each);
      each.on('error', () => undefined);
      each.on('close', () => {
        cuttable.delete(each);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const each of cuttable) each.destroy();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    opened: () => handshakes.length,
    handshakes,
    async close() {
      cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
