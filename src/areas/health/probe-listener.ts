import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createRequestIds } from '../../lib/ids.ts';
import { toProblem } from '../../platform/http/error-handler.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { keepAllHeaders } from '../../platform/http/connections/malformed-requests.ts';
import type { ReadyView } from './schemas.ts';

const probe = /^\/api\/health(?:\/(live|ready|queue|websocket))?\/?(?:\?.*)?$/;

/** In ms. Probe requests are small and complete quickly. */
const timeouts = { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 65_000 };

const starting: ReadyView = {
  status: 'fail',
  draining: false,
  reason: 'starting',
  failing: [],
  checks: {},
};

function respond(
  response: ServerResponse,
  status: number,
  requestId: string,
  body: object,
  headers: Record<string, string> = {},
): void {
  const always = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  const text = JSON.stringify(body);
  response
    .writeHead(status, { ...always, ...headers, 'content-length': Buffer.byteLength(text) })
    .end(text);
}

function refuse(response: ServerResponse, requestId: string, error: Error): void {
  const { problem, headers } = toProblem(error, requestId);
  respond(response, problem.status, requestId, problem, {
    ...headers,
    'content-type': 'application/problem+json',
  });
}

/**
 * A second listener that serves only the probes below `/api/health`; anything else is 404. It can
 * open before the service listens, when it reports the process as alive and not ready, and stays
 * open until the process ends.
 */
export function createProbeListener() {
  const nextId = createRequestIds();
  let routing: RequestListener | undefined;

  function respondAtStart(name: string | undefined, response: ServerResponse): void {
    if (name === 'live') respond(response, 200, nextId(), { status: 'pass' });
    else if (name === 'ready') respond(response, 503, nextId(), starting, { 'retry-after': '5' });
    else
      refuse(response, nextId(), requestErrors.unavailable({ detail: 'The service is starting.' }));
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const found = probe.exec(request.url ?? '');
    if (found === null) refuse(response, nextId(), requestErrors.not_found());
    else if (routing === undefined) respondAtStart(found[1], response);
    else routing(request, response);
  }

  const server = createServer(timeouts, handle);
  keepAllHeaders(server);

  return {
    /** Opens the listener and resolves to its port. Rejects when the address is not available. */
    async listen(port: number, host: string): Promise<number> {
      server.listen(port, host);
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },

    /** Passes requests to the service's own routes from now on. */
    serve(listener: RequestListener): void {
      routing = listener;
    },

    /** Closes the listener and its connections. For tests: the service never calls it. */
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
