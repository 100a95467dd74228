import fastify from 'fastify';
import { pixelGif } from '../../src/areas/analytics/ingest/pixel.ts';

/**
 * The limit of the ingest benchmark, and of the probe under its load: the same requests and
 * answers, with no schema, no logger and no storage. It prints its port, and exits when stdin ends.
 */
const app = fastify({ logger: false });

const outcome = (accepted: number, id: string) => ({
  accepted,
  duplicates: 0,
  rejected: [],
  dropped: [],
  request_id: id,
});

app.post('/analytics/track/', (request, reply) => reply.send(outcome(1, request.id)));
app.post<{ Body: { events: unknown[] } }>('/analytics/batch/', (request, reply) =>
  reply.send(outcome(request.body.events.length, request.id)),
);
app.get('/analytics/pixel.gif', (_request, reply) =>
  reply.header('cache-control', 'no-store').type('image/gif').send(pixelGif),
);
app.get('/q/:code', (_request, reply) =>
  reply.header('cache-control', 'no-store').redirect('https://example.com/spring', 302),
);
app.get('/api/health/live', (_request, reply) => reply.send({ status: 'pass' }));

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
console.log(
  JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
);
process.stdin.on('end', () => process.exit(0)).resume();
