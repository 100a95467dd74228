import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import fastify from 'fastify';
import { z } from 'zod';

/**
 * The limit of a tool call: the official SDK, mounted as in its guide, with one tool that echoes
 * its text. `/new` speaks revision 2026-07-28 of the protocol, `/old` earlier ones, without
 * sessions. It prints its port, and exits when stdin ends.
 */
const app = fastify({ logger: false });
const info = { name: 'bare', version: '1.0.0' };
const Text = z.object({ text: z.string() });

const modern = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer(info);
    server.registerTool('echo', { inputSchema: Text, outputSchema: Text }, ({ text }) => ({
      content: [{ type: 'text', text }],
      structuredContent: { text },
    }));
    return server;
  }),
);

app.post('/new', (request, reply) => {
  reply.hijack();
  // The SDK's own type is inexact about optional members.
  void modern(request.raw as Parameters<typeof modern>[0], reply.raw, request.body);
});

app.post('/old', async (request, reply) => {
  reply.hijack();
  const server = new FirstServer(info);
  server.registerTool(
    'echo',
    { inputSchema: Text.shape, outputSchema: Text.shape },
    ({ text }) => ({ content: [{ type: 'text', text }], structuredContent: { text } }),
  );
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  reply.raw.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request.raw, reply.raw, request.body);
});

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
console.log(
  JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
);
process.stdin.on('end', () => process.exit(0)).resume();
