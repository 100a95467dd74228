import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestActor, requestActor } from '../http/requests/request-actor.ts';
import { disconnectSignal, type Requester, requesterOf } from '../http/requests/requester.ts';

/** One call of an operation, on any surface. */
export interface Call {
  /** Who calls, as the audit log records it. */
  readonly by: RequestActor;
  /** The caller of a query that may take long. */
  readonly requester: Requester;
  /** Aborted when the response is no longer needed. */
  readonly signal: AbortSignal;
}

/** A call over HTTP, with what only HTTP has: headers, cookies, the address of the client. */
export interface HttpCall extends Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * A class, because an object literal with getters makes V8 create functions and a hidden class for
 * every request, which keep the request alive until the next full garbage collection.
 */
class RequestCall implements HttpCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request;
    this.reply = reply;
  }

  get by(): RequestActor {
    return requestActor(this.request);
  }

  get requester(): Requester {
    return requesterOf(this.request, this.reply);
  }

  get signal(): AbortSignal {
    return disconnectSignal(this.reply);
  }
}

/** Creates the call of a request. Its members are made when they are read. */
export const httpCall = (request: FastifyRequest, reply: FastifyReply): HttpCall =>
  new RequestCall(request, reply);
