import fastify from 'fastify';
import { get, type IncomingMessage } from 'node:http';

/**
 * The limit of a page: a bare Fastify that sends the same bytes and headers as the service (base
 * URL: first argument) for each path (other arguments). It prints its port, and exits when stdin
 * ends.
 */
const [, , base = '', ...paths] = process.argv;
const app = fastify({ logger: false });
const browserHeaders = {
  accept: 'text/html',
  'accept-encoding': 'gzip',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'date',
  'content-length',
  'transfer-encoding',
]);

/** Requests a page and returns its bytes as sent: `fetch` would decompress them. */
async function fetchRaw(path: string) {
  const response = await new Promise<IncomingMessage>(
    (resolve, reject) =>
      void get(base + path, { headers: browserHeaders }, resolve).once('error', reject),
  );
  const bytes = Buffer.concat(await response.toArray());
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode ?? 0}`);
  return {
    bytes,
    headers: Object.fromEntries(
      Object.entries(response.headers).filter(([name]) => !connectionHeaders.has(name)),
    ),
  };
}

for (const path of paths) {
  const { bytes, headers } = await fetchRaw(path);
  app.get(path, (_request, reply) => reply.headers(headers).send(bytes));
}

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
console.log(
  JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
);
process.stdin.on('end', () => process.exit(0)).resume();
