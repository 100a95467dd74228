import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { messageHandlerRoute } from './routes.assets.ts';
import { asyncApiRoute } from './routes.asyncapi.ts';
import { testChannelRoutes } from './routes.test-channel.ts';
import { type WsRoutesOptions, wsRoutes } from './routes.ts';

interface SocketServices extends WsRoutesOptions {
  scopes: Scopes;
  bus: Bus;
  baseUrl: string;
  /** The version of the service. */
  version: string;
  /** The folder of the built scripts of pages. */
  webFolder: URL;
}

/** Registers the sockets, the script that connects pages to them, and the test routes. */
export function registerSockets(app: FastifyInstance, services: SocketServices): void {
  app.describeTag('realtime', 'WebSockets and test messages.');
  const { scopes, bus, baseUrl, realtime, handshakes, version, webFolder } = services;
  scopes.identified(app, (everybody) => {
    everybody.register(testChannelRoutes, { bus });
    everybody.register(asyncApiRoute, { baseUrl, version });
  });
  // The handshake authenticates on its own: pages of other sites may open public sockets.
  scopes.public(app, (everybody) => {
    everybody.register(wsRoutes, { realtime, handshakes });
    everybody.register(messageHandlerRoute, { folder: webFolder, baseUrl });
  });
}
