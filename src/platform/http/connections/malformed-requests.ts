import type { FastifyRequest } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toProblem } from '../error-handler.ts';
import { AppError, requestErrors } from '../../errors/errors.ts';
import { timesSent } from './raw-headers.ts';
import { currentResponse } from './current-response.ts';

/** Most header fields of a request: browsers send forty, and every proxy adds a few. */
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

function answerText(code: string | undefined, requestId: string): string {
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
 * Makes the answer to what is not even HTTP, and to what does not arrive. There is no request, so
 * it is written to the socket by hand, and only after the answers to the whole requests that came
 * before it on the connection: else the client, or the proxy that has put several clients' requests
 * on one connection, takes the refusal for the answer to one of those.
 */
export function createClientErrorHandler(newId: () => string) {
  const refused = new WeakSet<Socket>();

  function refuse(socket: Socket, code: string | undefined): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const answer = currentResponse(socket);
    if (answer?.req.complete === true)
      answer.once('close', () => setImmediate(refuse, socket, code));
    // Half of an answer is out: nothing that follows could be told from the rest of it.
    else if (answer?.headersSent === true) socket.destroy();
    else socket.end(answerText(code, newId()));
  }

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The parser complains about every further byte.
    if (refused.has(socket) && socket.writable) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET') socket.destroy(error);
    else refuse(socket, error.code);
  };
}

/** Lets everything that a request says of itself come in, for `refuseAmbiguous` to look at. */
export function keepAllHeaders(server: Server): void {
  // Node would drop the fields above a number without a word, also those that a proxy has added at
  // the end: the address of the client, or that the request was passed on at all. The bytes of a
  // head stay limited.
  server.maxHeadersCount = 0;
  // Node would answer by itself, in a form of its own.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
}

/** RFC 9112 §3.2: of two, a proxy may have read the other; HTTP/1.0 may have none. */
function refuseHost(raw: IncomingMessage): void {
  const times = timesSent(raw, 'host');
  if (times === 1 || (times === 0 && raw.httpVersion === '1.0')) return;
  throw requestErrors.invalid({
    detail: times === 0 ? 'The Host header is missing.' : 'There is more than one Host header.',
  });
}

/**
 * RFC 9112 §6.1: a coding that nobody has undone would be taken for the content; HTTP/1.0 has none,
 * and proxies of it look at the length.
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

/** Refuses requests that a proxy may have read otherwise, and unsupported expectations. */
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
