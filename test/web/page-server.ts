import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * A web server with pages, whose sockets lead to the service through connections that a test may
 * cut.
 */
export interface PageServer {
  origin: string;
  /** Cuts all connections of sockets, as a network does that goes away. */
  cut: () => void;
  /** How many sockets were opened. */
  opened: () => number;
  /** Headers and addresses of the requests for sockets. */
  handshakes: IncomingMessage[];
  close: () => Promise<void>;
}

/**
 * Serves `pages` by path, and passes everything below /ws/ and the script itself on to the service
 * at `port`.
 */
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
    const behind: Socket = connect(port, '127.0.0.1');
    const headers = request.rawHeaders
      .map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      .join('');
    behind.write(`GET ${request.url ?? ''} HTTP/1.1\r\n${headers}\r\n`);
    for (const each of [socket, behind]) {
      cuttable.add(each);
      each.on('error', () => undefined);
      each.on('close', () => {
        cuttable.delete(each);
        socket.destroy();
        behind.destroy();
      });
    }
    socket.pipe(behind).pipe(socket);
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
