import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../../../lib/net/ip.ts';
import { AppError } from '../../errors/errors.ts';

/** The caller of a query that may take long, with a signal that cancels it. */
export interface Requester {
  /** The key of a budget: a user, API key, address, share link or internal task. */
  key: string;
  /** `guest`: has access only through a share link. */
  kind: 'member' | 'guest';
  /** Aborted when the response is no longer needed. */
  signal: AbortSignal;
}

/** No client receives this response. Web servers log it as 499. */
const clientGone = () =>
  new AppError(499, 'request.client_gone', 'The client went away before the answer.');

/** Returns a signal that is aborted when the client disconnects before the response is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abortIfUnfinished = () => {
    if (!raw.writableFinished) disconnected.abort(clientGone());
  };
  if (raw.destroyed) abortIfUnfinished();
  else raw.once('close', abortIfUnfinished);
  return disconnected.signal;
}

function ownKey({ principal, ip }: FastifyRequest): string {
  return principal === undefined ? `address ${clientKey(ip)}` : `${principal.kind} ${principal.id}`;
}

/** The requester of a request: its principal, or else its address. */
export const requesterOf = (request: FastifyRequest, reply: FastifyReply): Requester => ({
  key: ownKey(request),
  kind: 'member',
  signal: disconnectSignal(reply),
});

/** The requester behind a share link. All visitors with the same link share one. */
export const guestRequester = (linkId: string, reply: FastifyReply): Requester => ({
  key: `link ${linkId}`,
  kind: 'guest',
  signal: disconnectSignal(reply),
});

/** The requester of an internal task. */
export const systemRequester = (name: string): Requester => ({
  key: `task ${name}`,
  kind: 'member',
  signal: new AbortController().signal,
});
