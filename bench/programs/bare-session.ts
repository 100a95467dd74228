import fastify from 'fastify';
import { Redis } from 'ioredis';

/**
 * The limit of a session check: a bare Fastify that reads one value from Redis (REDIS_URL) by the
 * request's cookie and sends it. It prints its port, and exits when stdin ends.
 */
const redis = new Redis(process.env.REDIS_URL ?? '');
const app = fastify({ logger: false });

app.get('/me', async (request, reply) => {
  const value = await redis.get(`session:${request.headers.cookie ?? ''}`);
  return reply.type('application/json').send(value);
});

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
console.log(
  JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
);
process.stdin.on('end', () => process.exit(0)).resume();
