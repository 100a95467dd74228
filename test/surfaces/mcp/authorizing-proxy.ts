import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { asAdmin } from '../../support/app.ts';

/** Starts a proxy on loopback that adds the admin key, for a client that sends no credential. */
export async function startAuthorizingProxy(target: number) {
  const server = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    const forwarded = send(
      { port: target, path: url, method, headers: { ...headers, ...asAdmin } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { port: address.port, close: () => server.close() };
}
