import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../lib/net/ip.ts';
import { AppError } from './errors/errors.ts';

/** Who asks a store something that may take long, and until when the answer is wanted. */
export interface Questioner {
  /** One text for everything that shares a budget: a person, a key, an address, a share link, a task of our own. */
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
export function goneSignal({ raw }: FastifyReply): AbortSignal {
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
export const questionerOf = (request: FastifyRequest, reply: FastifyReply): Questioner => ({
  key: ownKey(request),
  kind: 'member',
  signal: goneSignal(reply),
});

/** Who asks by a link: all who have the same one are one. */
export const guestOf = (linkId: string, reply: FastifyReply): Questioner => ({
  key: `link ${linkId}`,
  kind: 'guest',
  signal: goneSignal(reply),
});

/** A task of the service itself. */
export const ownTask = (name: string): Questioner => ({
  key: `task ${name}`,
  kind: 'member',
  signal: new AbortController().signal,
});
