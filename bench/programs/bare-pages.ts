import fastify from 'fastify';
import { get, type IncomingMessage } from 'node:http';

/**
 * The limit of a page: Fastify that sends the bytes and headers which the service (first argument)
 * sends for each path (the others), and does nothing else. It prints its port, and ends when its
 * stdin does.
 */
const [, , base = '', ...paths] = process.argv;
const app = fastify({ logger: false });
const accepted = {
  accept: 'text/html',
  'accept-encoding': 'gzip',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const ofTheConnection = new Set([
  'connection',
  'keep-alive',
  'date',
  'content-length',
  'transfer-encoding',
]);

/** An answer as it comes over the wire: `fetch` would unpack it. */
async function answerOf(path: string) {
  const response = await new Promise<IncomingMessage>(
    (resolve, reject) =>
      void get(base + path, { headers: accepted }, resolve).once('error', reject),
  );
  const bytes = Buffer.concat(await response.toArray());
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode ?? 0}`);
  return {
    bytes,
    headers: Object.fromEntries(
      Object.entries(response.headers).filter(([name]) => !ofTheConnection.has(name)),
    ),
  };
}

for (const path of paths) {
  const { bytes, headers } = await answerOf(path);
  app.get(path, (_request, reply) => reply.headers(headers).send(bytes));
}

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
console.log(
  JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
);
process.stdin.on('end', () => process.exit(0)).resume();
