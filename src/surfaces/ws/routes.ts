import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientKey } from '../../lib/net/ip.ts';
import { currentResponse } from '../../platform/http/connections/current-response.ts';
import { partUpgrades } from '../../platform/http/connections/upgrades.ts';
import { type Endpoint, endpoints } from '../../areas/realtime/channels.ts';
import { wsErrors } from './errors.ts';
import type { Handshakes } from './guards.ts';
import type { Realtime } from './service.ts';

export interface WsRoutesOptions {
  realtime: Realtime;
  handshakes: Handshakes;
}

const mostInbound = 64 * 1024;
const shutdownLimitMs = 2000;

const isUpgrade = ({ headers }: FastifyRequest): boolean => headers.upgrade !== undefined;
const pathOf = (url: string | undefined): string =>
  `${(url ?? '').split('?', 1).join('').replace(/\/$/, '')}/`;
const isEndpoint = (path: string): path is Endpoint =>
  endpoints.some((endpoint) => endpoint === path);
const isHandshake = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '') && isEndpoint(pathOf(url));

/** What a client asks for in the address: `?mode=uni&channels=status,test`. */
function listensTo({ query }: FastifyRequest): string[] | undefined {
  const { mode, channels } = query as { mode?: unknown; channels?: unknown };
  if (mode !== 'uni') return undefined;
  return typeof channels === 'string'
    ? [...new Set(channels.split(',').filter((name) => name !== ''))]
    : [];
}

const summaries: Readonly<Record<Endpoint, string>> = {
  '/ws/svc/': 'Everything of the service, for whom it concerns',
  '/ws/analytics/': 'What happens on sites at this moment',
  '/ws/status/': 'How the service is, for everybody',
};

/** The sockets. Who opens one is looked at in the handshake, as with any other request. */
export async function wsRoutes(
  app: FastifyInstance,
  { realtime, handshakes }: WsRoutesOptions,
): Promise<void> {
  const { clients } = realtime;
  await app.register(fastifyWebsocket, {
    options: {
      server: partUpgrades(app.server, isHandshake),
      maxPayload: mostInbound,
      perMessageDeflate: false,
      clientTracking: false,
      handleProtocols: (offered) => (offered.has('centrifuge-json') ? 'centrifuge-json' : false),
    },
    errorHandler: (_error, socket) => socket.terminate(),
    // The listener is closed first, so that nobody comes back to a service that ends.
    preClose: (done) => {
      setImmediate(() => void clients.closeAll(shutdownLimitMs));
      done();
    },
  });
  app.websocketServer.on('headers', handshakes.addCookie);

  async function shakeHands(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isUpgrade(request))
      throw wsErrors.upgrade_required({
        headers: { upgrade: 'websocket', connection: 'upgrade, close' },
      });
    const isPublic = pathOf(request.url) === '/ws/status/';
    const trusts = handshakes.isTrusted(request);
    if (!trusts && !isPublic) throw wsErrors.origin_not_allowed();
    if (clients.isFull(clientKey(request.ip)))
      throw wsErrors.too_many_connections({ headers: { 'retry-after': '5' } });
    // A page of another site hears what is public, whoever sits before it.
    if (trusts) await handshakes.prove(request, reply);
  }

  for (const endpoint of endpoints) {
    app.route({
      method: 'GET',
      url: endpoint,
      exposeHeadRoute: false,
      onRequest: shakeHands,
      schema: {
        operationId: `ws.${endpoint.split('/')[2] ?? ''}`,
        summary: summaries[endpoint],
        description:
          "A WebSocket that speaks the JSON form of Centrifugo's client protocol; `/realtime/asyncapi.json` describes it. Without a handshake the answer is 426.",
        tags: ['realtime'],
        errors: [
          'request.unauthenticated',
          'ws.origin_not_allowed',
          'ws.upgrade_required',
          'ws.too_many_connections',
        ],
        response: { 101: z.undefined().describe('The connection is a WebSocket from now on.') },
      },
      handler: () => {
        throw wsErrors.upgrade_required({
          headers: { upgrade: 'websocket', connection: 'upgrade, close' },
        });
      },
      wsHandler: (webSocket, request) => {
        const identity = handshakes.identityOf(request.raw);
        // Tied to the socket it would keep the whole request for as long as the socket lives.
        currentResponse(request.raw.socket)?.detachSocket(request.raw.socket);
        clients.accept({
          endpoint,
          webSocket,
          socket: request.raw.socket,
          identity,
          address: clientKey(request.ip),
          listensTo: listensTo(request),
        });
      },
    });
  }
}
