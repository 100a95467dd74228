import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../../../lib/net/ip.ts';
import { AppError } from '../../errors/errors.ts';

/** Who asks a store something that may take long, and until when the answer is wanted. */
export interface Requester {
  /** Who shares a budget: a person, key, address, share link or a task of our own. */
  key: string;
  /** `guest`: let in by a link alone. */
  kind: 'member' | 'guest';
  /** Aborted once nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** Nobody gets this answer; 499 is what logs of web servers call it. */
const clientGone = () =>
  new AppError(499, 'request.client_gone', 'The client went away before the answer.');

/** Aborted when the client goes away before it has the whole answer. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const look = () => {
    if (!raw.writableFinished) gone.abort(clientGone());
  };
  if (raw.destroyed) look();
  else raw.once('close', look);
  return gone.signal;
}

function ownKey({ principal, ip }: FastifyRequest): string {
  return principal === undefined ? `address ${clientKey(ip)}` : `${principal.kind} ${principal.id}`;
}

/** Who asks by this request: whoever the guards have found, else its address. */
export const requesterOf = (request: FastifyRequest, reply: FastifyReply): Requester => ({
  key: ownKey(request),
  kind: 'member',
  signal: disconnectSignal(reply),
});

/** Who asks by a link: all who have the same one are one. */
export const guestRequester = (linkId: string, reply: FastifyReply): Requester => ({
  key: `link ${linkId}`,
  kind: 'guest',
  signal: disconnectSignal(reply),
});

/** A task of the service itself. */
export const systemRequester = (name: string): Requester => ({
  key: `task ${name}`,
  kind: 'member',
  signal: new AbortController().signal,
});
