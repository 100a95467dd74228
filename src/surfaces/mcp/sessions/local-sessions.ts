import { randomUUID } from 'node:crypto';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { Server } from '../server.ts';
import type { SessionRef } from './session-records.ts';
import type { SessionsDeps } from './sessions.ts';

export interface Session extends SessionRef {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  /** The parameters of `initialize`, as JSON. */
  params: string;
  /** URIs of resources. Redis is authoritative, except while `hasUnsyncedChanges`. */
  subscribed: Set<string>;
  /** True while a local change of the subscriptions is not in Redis yet. */
  hasUnsyncedChanges: boolean;
}

const endedSignal = 'mcp_session_ended';
const streamSignal = 'mcp_stream_opened';

/**
 * The sessions in the memory of this process: the least recently used are dropped, and those that
 * another replica ends.
 */
export function createLocalSessions({
  records,
  signals,
  onError,
  maxSessions = 1000,
}: SessionsDeps) {
  const replica = randomUUID();
  const { perOwner, idleMs } = records.limits;
  const sessions = new LRUCache<string, Session>({
    max: maxSessions,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: false,
    dispose({ server, transport }) {
      transport.close().catch(onError);
      server.close().catch(onError);
    },
  });

  signals.onSignal(endedSignal, (id) => {
    if (id === undefined) dropEnded().catch(onError);
    else sessions.delete(id);
  });
  signals.onSignal(streamSignal, (subject) => {
    const [sender, id] = subject?.split(' ') ?? [];
    // Messages go to the newest stream only: the client has most likely lost the others.
    if (id !== undefined && sender !== replica)
      sessions.peek(id)?.transport.closeStandaloneSSEStream();
  });

  return {
    sessions,

    /** Adds a session. Drops the least recently used of its owner when there are too many. */
    hold(session: Session): void {
      const ofOwner = [...sessions.entries()].filter(([, { owner }]) => owner === session.owner);
      // The cache iterates from the most recently used on.
      for (const [id] of ofOwner.slice(perOwner - 1)) sessions.delete(id);
      sessions.set(session.id, session);
    },

    signalEnd: (id: string): void => signals.signal(endedSignal, id),
    signalStream: (id: string): void => signals.signal(streamSignal, `${replica} ${id}`),
  };

  // For when signals may have been missed.
  async function dropEnded(): Promise<void> {
    for (const { id } of await records.findEnded([...sessions.values()])) sessions.delete(id);
  }
}
