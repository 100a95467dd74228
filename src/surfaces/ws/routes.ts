import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { type Endpoint, endpoints } from '../../areas/realtime/channels.ts';
import { clientKey } from '../../lib/net/ip.ts';
import { currentResponse } from '../../platform/http/connections/current-response.ts';
import { separateUpgrades } from '../../platform/http/connections/upgrades.ts';
import { wsErrors } from './errors.ts';
import type { Handshakes } from './guards.ts';
import type { Realtime } from './service.ts';

export interface WsRoutesOptions {
  realtime: Realtime;
  handshakes: Handshakes;
}

const maxPayload = 64 * 1024;
const shutdownMs = 2000;

const pathOf = (url: string | undefined): string =>
  `${(url ?? '').split('?', 1).join('').replace(/\/$/, '')}/`;
const isEndpoint = (path: string): path is Endpoint =>
  endpoints.some((endpoint) => endpoint === path);
const isHandshake = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '') && isEndpoint(pathOf(url));

const upgradeRequired = () =>
  wsErrors.upgrade_required({
    headers: { upgrade: 'websocket', connection: 'upgrade, close' },
  });

const UniQuery = z.object({ mode: z.literal('uni'), channels: z.string().catch('') });

/** The channels of `?mode=uni&channels=status,test`; undefined for the bidirectional protocol. */
function uniChannelsOf({ query }: FastifyRequest): string[] | undefined {
  const { channels } = UniQuery.safeParse(query).data ?? {};
  return channels === undefined
    ? undefined
    : [...new Set(channels.split(',').filter((name) => name !== ''))];
}

const summaries: Readonly<Record<Endpoint, string>> = {
  '/ws/svc/': 'Connect to all channels',
  '/ws/analytics/': 'Connect to live analytics',
  '/ws/status/': 'Connect to the public status',
};

const schemaOf = (endpoint: Endpoint) => ({
  operationId: `ws.${endpoint.split('/')[2] ?? ''}`,
  summary: summaries[endpoint],
  description:
    "A WebSocket that uses Centrifugo's JSON client protocol, described in " +
    '`/realtime/asyncapi.json`. Requests without a WebSocket handshake get 426.',
  tags: ['realtime'],
  errors: [
    'request.unauthenticated',
    'ws.origin_not_allowed',
    'ws.upgrade_required',
    'ws.too_many_connections',
  ],
  response: { 101: z.undefined().describe('Switching to WebSocket.') },
});

async function registerWebSocketServer(
  app: FastifyInstance,
  { realtime: { clients }, handshakes }: WsRoutesOptions,
): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: {
      server: separateUpgrades(app.server, isHandshake),
      maxPayload,
      perMessageDeflate: false,
      clientTracking: false,
      handleProtocols: (offered) => (offered.has('centrifuge-json') ? 'centrifuge-json' : false),
    },
    errorHandler: (_error, socket) => socket.terminate(),
    // Closes the listener first, so that clients do not reconnect to a stopping service.
    preClose: (done) => {
      setImmediate(() => void clients.closeAll(shutdownMs));
      done();
    },
  });
  app.websocketServer.on('headers', handshakes.addCookies);
}

const createHandshakeHook =
  ({ realtime: { clients }, handshakes }: WsRoutesOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.headers.upgrade === undefined) throw upgradeRequired();
    const isPublic = pathOf(request.url) === '/ws/status/';
    const isAllowed = handshakes.isAllowedOrigin(request);
    if (!isAllowed && !isPublic) throw wsErrors.origin_not_allowed();
    if (clients.isFull(clientKey(request.ip)))
      throw wsErrors.too_many_connections({ headers: { 'retry-after': '5' } });
    // Pages of other sites get public channels only, without the session of their visitor.
    if (isAllowed) await handshakes.authenticate(request, reply);
  };

const createSocketHandler =
  (endpoint: Endpoint, { realtime: { clients }, handshakes }: WsRoutesOptions) =>
  (webSocket: WebSocket, request: FastifyRequest): void => {
    const { socket } = request.raw;
    const identity = handshakes.identityOf(request.raw);
    // An attached response would retain the whole request until the socket closes.
    currentResponse(socket)?.detachSocket(socket);
    clients.accept({
      endpoint,
      webSocket,
      socket,
      identity,
      address: clientKey(request.ip),
      uniChannels: uniChannelsOf(request),
    });
  };

/** Registers the sockets. Handshakes are authenticated like other requests. */
export async function wsRoutes(app: FastifyInstance, options: WsRoutesOptions): Promise<void> {
  await registerWebSocketServer(app, options);
  const onRequest = createHandshakeHook(options);
  for (const endpoint of endpoints)
    app.route({
      method: 'GET',
      url: endpoint,
      exposeHeadRoute: false,
      onRequest,
      schema: schemaOf(endpoint),
      handler() {
        throw upgradeRequired();
      },
      wsHandler: createSocketHandler(endpoint, options),
    });
}
