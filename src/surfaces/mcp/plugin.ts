import type { FastifyInstance } from 'fastify';
import { identitySignal } from '../../platform/bus/signals.ts';
import { scope } from '../../platform/http/scopes.ts';
import type { McpServices } from './context.ts';
import { createMcpGuard } from './guards.ts';
import { mcpMetadataRoutes } from './routes.metadata.ts';
import { mcpRoutes } from './routes.ts';
import { createMcp } from './service.ts';
import { createStreams } from './sessions/streams.ts';

/** Registers the Model Context Protocol on top of the services of the REST API. */
export function registerMcp(app: FastifyInstance, services: McpServices): void {
  const { baseUrl, brand, bus, scopes } = services;
  const streams = createStreams();
  bus.onSignal(identitySignal, (id) => streams.closeOf(id));
  const mcp = createMcp(services);
  app.describeTag('mcp', 'Model Context Protocol for AI assistants and agents.');
  scopes.public(app, (everybody) => {
    everybody.register(mcpMetadataRoutes, { baseUrl, brand });
  });
  scope(app, 'key or token', createMcpGuard(services), (callers) => {
    callers.register(mcpRoutes, { mcp, streams, baseUrl });
  });
}
