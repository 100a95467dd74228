import { randomUUID } from 'node:crypto';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { Server } from '../server.ts';
import type { SessionRecords, SessionRef } from './session-records.ts';

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

export interface LocalSessionsDeps {
  records: Pick<SessionRecords, 'limits' | 'findEnded'>;
  signals: Pick<Bus, 'signal' | 'onSignal'>;
  onError: (error: unknown) => void;
  /** The maximum number of sessions in this process. The least recently used are dropped. */
  maxSessions: number;
}

const endedSignal = 'mcp_session_ended';
const streamSignal = 'mcp_stream_opened';

/** The sessions in the memory of this process. They are dropped when another replica ends them. */
export function createLocalSessions({ records, signals, onError, maxSessions }: LocalSessionsDeps) {
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

  // For when signals may have been missed.
  async function dropEnded(): Promise<void> {
    for (const { id } of await records.findEnded([...sessions.values()])) sessions.delete(id);
  }

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
    get: (id: string): Session | undefined => sessions.get(id),
    has: (id: string): boolean => sessions.has(id),
    all: (): Session[] => [...sessions.values()],
    count: (): number => sessions.size,

    /** Adds a session. Drops the least recently used of its owner when there are too many. */
    hold(session: Session): void {
      const ofOwner = [...sessions.entries()].filter(([, { owner }]) => owner === session.owner);
      // The cache iterates from the most recently used on.
      for (const [id] of ofOwner.slice(perOwner - 1)) sessions.delete(id);
      sessions.set(session.id, session);
    },

    drop: (id: string): void => void sessions.delete(id),
    dropIdle: (): void => void sessions.purgeStale(),
    dropAll: (): void => sessions.clear(),

    signalEnd: (id: string): void => signals.signal(endedSignal, id),
    signalStream: (id: string): void => signals.signal(streamSignal, `${replica} ${id}`),
  };
}

export type LocalSessions = ReturnType<typeof createLocalSessions>;
