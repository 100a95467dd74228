import fastify from 'fastify';
import { mercurius } from 'mercurius';

/**
 * The limit of a GraphQL answer: bare mercurius with its compiler. It prints its port, and exits
 * when stdin ends.
 */
const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: 'type Query { hello: String! }',
  resolvers: { Query: { hello: () => 'Hello, world!' } },
  jit: 1,
});

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
console.log(
  JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
);
process.stdin.on('end', () => process.exit(0)).resume();
