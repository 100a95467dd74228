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

/** Milliseconds. Probes are small: whoever takes longer is no probe. */
const timeouts = { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 65_000 };

const starting: ReadyView = {
  status: 'fail',
  draining: false,
  reason: 'starting',
  failing: [],
  checks: {},
};

function answer(
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
  answer(response, problem.status, requestId, problem, {
    ...headers,
    'content-type': 'application/problem+json',
  });
}

/**
 * The second listener, for probes alone: `/api/health` and what is below it; anything else is 404.
 * It can be open before the service is, when it says that the process lives and is not ready, and
 * until the process ends.
 */
export function createProbeListener() {
  const nextId = createRequestIds();
  let routing: RequestListener | undefined;

  function answerAtStart(name: string | undefined, response: ServerResponse): void {
    if (name === 'live') answer(response, 200, nextId(), { status: 'pass' });
    else if (name === 'ready') answer(response, 503, nextId(), starting, { 'retry-after': '5' });
    else
      refuse(response, nextId(), requestErrors.unavailable({ detail: 'The service is starting.' }));
  }

  function take(request: IncomingMessage, response: ServerResponse): void {
    const found = probe.exec(request.url ?? '');
    if (found === null) refuse(response, nextId(), requestErrors.not_found());
    else if (routing === undefined) answerAtStart(found[1], response);
    else routing(request, response);
  }

  const server = createServer(timeouts, take);
  keepAllHeaders(server);

  return {
    /** Opens the listener and gives its port. Rejects when the address cannot be had. */
    async listen(port: number, host: string): Promise<number> {
      server.listen(port, host);
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },

    /** From now on the service's own routes answer. */
    serve(listener: RequestListener): void {
      routing = listener;
    },

    /** Ends the listener and its connections. The service never calls it. */
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
