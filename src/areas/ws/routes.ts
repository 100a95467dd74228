import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientKey } from '../../lib/ip.ts';
import { AppError } from '../../platform/errors.ts';
import { answerOf } from '../../platform/socket-answer.ts';
import { partUpgrades } from '../../platform/upgrades.ts';
import type { Guards } from '../auth/guards.ts';
import type { DeviceGuards } from '../blackops/guards.ts';
import { type Endpoint, endpoints } from './channels.ts';
import { wsErrors } from './errors.ts';
import { type Identity, stranger } from './identities.ts';
import type { Realtime } from './service.ts';

export interface WsRoutesOptions {
  realtime: Realtime;
  guards: Guards;
  deviceGuards: DeviceGuards;
  /** Origins besides our own whose pages may use sessions here. */
  origins: readonly string[];
}

const mostInbound = 64 * 1024;
const shutdownLimitMs = 2000;

const isUpgrade = ({ headers }: FastifyRequest): boolean => headers.upgrade !== undefined;
const pathOf = (url: string | undefined): string => `${(url ?? '').split('?', 1).join('').replace(/\/$/, '')}/`;
const isEndpoint = (path: string): path is Endpoint => endpoints.some((endpoint) => endpoint === path);
const isHandshake = ({ method, url, headers }: IncomingMessage): boolean => method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '') && isEndpoint(pathOf(url));

/** What a handshake has proved, by its request. */
interface Handshake {
  identity: Identity;
  /** A cookie that is due. */
  cookie: string | undefined;
}

/** What a client asks for in the address: `?mode=uni&channels=status,test`. */
function listensTo({ query }: FastifyRequest): string[] | undefined {
  const { mode, channels } = query as { mode?: unknown; channels?: unknown };
  if (mode !== 'uni') return undefined;
  return typeof channels === 'string' ? [...new Set(channels.split(',').filter((name) => name !== ''))] : [];
}

const summaries: Readonly<Record<Endpoint, string>> = {
  '/ws/svc/': 'Everything of the service, for whom it concerns',
  '/ws/analytics/': 'What happens on sites at this moment',
  '/ws/status/': 'How the service is, for everybody',
};

/** The sockets. Who opens one is looked at in the handshake, as with any other request. */
export async function wsRoutes(app: FastifyInstance, { realtime, guards, deviceGuards, origins }: WsRoutesOptions): Promise<void> {
  const { clients, identities } = realtime;
  const handshakes = new WeakMap<IncomingMessage, Handshake>();
  const requireCleared = deviceGuards.clearedDevice();
  const readAuthorization = guards.optional();

  await app.register(fastifyWebsocket, {
    options: {
      server: partUpgrades(app.server, isHandshake),
      maxPayload: mostInbound, perMessageDeflate: false, clientTracking: false,
      handleProtocols: (offered) => (offered.has('centrifuge-json') ? 'centrifuge-json' : false),
    },
    errorHandler: (_error, socket) => socket.terminate(),
    // The listener is closed first, so that nobody comes back to a service that ends.
    preClose: (done) => {
      setImmediate(() => void clients.closeAll(shutdownLimitMs));
      done();
    },
  });
  app.websocketServer.on('headers', (headers, request) => {
    const cookie = handshakes.get(request)?.cookie;
    if (cookie !== undefined) headers.push(`Set-Cookie: ${cookie}`);
  });

  const isTrusted = (request: FastifyRequest): boolean => {
    const { origin } = request.headers;
    return origin === undefined || guards.isOwnOrigin(request) || origins.includes(origin);
  };

  async function isCleared(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    try {
      await requireCleared(request, reply);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return false;
      throw error;
    }
  }

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Identity> {
    if (request.headers.authorization === undefined) request.principal = await guards.peek(request);
    else await readAuthorization(request);
    const { principal, session } = request;
    if (principal === undefined) return stranger;
    if (principal.kind === 'user' && session !== undefined) return identities.ofSession(session, await isCleared(request, reply));
    return (await identities.ofToken(/^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')) ?? stranger;
  }

  async function shakeHands(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isUpgrade(request)) throw wsErrors.upgrade_required({ headers: { upgrade: 'websocket', connection: 'upgrade, close' } });
    const isPublic = pathOf(request.url) === '/ws/status/';
    const trusts = isTrusted(request);
    if (!trusts && !isPublic) throw wsErrors.origin_not_allowed();
    if (clients.isFull(clientKey(request.ip))) throw wsErrors.too_many_connections({ headers: { 'retry-after': '5' } });
    // A page of another site hears what is public, whoever sits before it.
    const identity = trusts ? await identify(request, reply) : stranger;
    const cookie = reply.getHeader('set-cookie');
    handshakes.set(request.raw, { identity, cookie: typeof cookie === 'string' ? cookie : undefined });
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
        description: 'A WebSocket that speaks the JSON form of Centrifugo\'s client protocol; `/realtime/asyncapi.json` describes it. Without a handshake the answer is 426.',
        tags: ['realtime'],
        errors: ['request.unauthenticated', 'ws.origin_not_allowed', 'ws.upgrade_required', 'ws.too_many_connections'],
        response: { 101: z.undefined().describe('The connection is a WebSocket from now on.') },
      },
      handler: () => { throw wsErrors.upgrade_required({ headers: { upgrade: 'websocket', connection: 'upgrade, close' } }); },
      wsHandler: (webSocket, request) => {
        const identity = handshakes.get(request.raw)?.identity ?? stranger;
        // Tied to the socket it would keep the whole request for as long as the socket lives.
        answerOf(request.raw.socket)?.detachSocket(request.raw.socket);
        clients.accept({ endpoint, webSocket, socket: request.raw.socket, identity, address: clientKey(request.ip), listensTo: listensTo(request) });
      },
    });
  }
}
