import type { FastifyRequest } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toProblem } from '../error-handler.ts';
import { AppError, requestErrors } from '../../errors/errors.ts';
import { countHeader } from './raw-headers.ts';
import { currentResponse } from './current-response.ts';

/** Maximum number of header fields: browsers send about forty, and every proxy adds a few. */
const maxHeaderFields = 200;

const connectionErrors: Partial<Record<string, [status: number, phrase: string, detail: string]>> =
  {
    ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
    HPE_HEADER_OVERFLOW: [
      431,
      'Request Header Fields Too Large',
      'The request headers are too large.',
    ],
  };

function formatResponse(code: string | undefined, requestId: string): string {
  const [status, phrase, detail] = connectionErrors[code ?? ''] ?? [
    400,
    'Bad Request',
    requestErrors.invalid().message,
  ];
  const body = JSON.stringify(
    toProblem(new AppError(status, 'request.invalid', detail), requestId).problem,
  );
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Creates the handler of malformed and incomplete requests. It writes the error to the raw socket,
 * but only after the responses to the complete requests that came before on the connection:
 * otherwise the client, or a proxy that shares the connection among several clients, would take the
 * error for the response to one of those.
 */
export function createClientErrorHandler(newId: () => string) {
  const refusedSockets = new WeakSet<Socket>();

  function refuse(socket: Socket, code: string | undefined): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const response = currentResponse(socket);
    if (response?.req.complete === true)
      response.once('close', () => setImmediate(refuse, socket, code));
    // A response is partly sent: the client could not tell an error from the rest of it.
    else if (response?.headersSent === true) socket.destroy();
    else socket.end(formatResponse(code, newId()));
  }

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The parser emits an error for every further byte.
    if (refusedSockets.has(socket) && socket.writable) return;
    refusedSockets.add(socket);
    if (error.code === 'ECONNRESET') socket.destroy(error);
    else refuse(socket, error.code);
  };
}

/** Makes Node pass on all request headers, for `refuseAmbiguous` to check. */
export function keepAllHeaders(server: Server): void {
  // By default, Node silently drops header fields above a number, including those that a proxy has
  // appended, such as the client's address. The size of the head in bytes stays limited.
  server.maxHeadersCount = 0;
  // By default, Node answers these itself, in its own format.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
}

/**
 * RFC 9112 §3.2. With two Host headers, a proxy may have used the other one. HTTP/1.0 may omit it.
 */
function refuseHost(raw: IncomingMessage): void {
  const count = countHeader(raw, 'host');
  if (count === 1 || (count === 0 && raw.httpVersion === '1.0')) return;
  throw requestErrors.invalid({
    detail: count === 0 ? 'The Host header is missing.' : 'There is more than one Host header.',
  });
}

/**
 * RFC 9112 §6.1. A transfer coding that is not decoded would be taken for content. HTTP/1.0 has no
 * transfer codings, and its proxies use the content length.
 */
function refuseCoding({
  headers: { 'transfer-encoding': coding },
  httpVersion,
}: IncomingMessage): void {
  if (coding === undefined || (coding.toLowerCase() === 'chunked' && httpVersion !== '1.0')) return;
  const detail =
    httpVersion === '1.0'
      ? 'HTTP/1.0 has no Transfer-Encoding.'
      : 'The only supported transfer coding is chunked.';
  throw requestErrors.invalid({ detail, headers: { connection: 'close' } });
}

/** Refuses requests that a proxy may have interpreted differently, and unsupported expectations. */
export function refuseAmbiguous({ raw }: FastifyRequest): void {
  if (raw.rawHeaders.length > 2 * maxHeaderFields) {
    throw new AppError(
      431,
      'request.invalid',
      `The request has more than ${maxHeaderFields} header fields.`,
      { headers: { connection: 'close' } },
    );
  }
  refuseHost(raw);
  refuseCoding(raw);
  const { expect } = raw.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw requestErrors.invalid({ detail: 'The only supported expectation is 100-continue.' });
}
