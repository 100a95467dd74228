import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';

/** A connected client, as Centrifugo's ClientInfo. */
export interface ClientInfo {
  /** The user's id, or empty for an anonymous client. */
  user: string;
  client: string;
}

const Entry = z.object({
  until: z.number(),
  info: z.object({ user: z.string(), client: z.string() }),
});

/** An entry that is not renewed for this long is stale: its replica is gone. */
const presenceTtlMs = 60_000;

/** The clients on a channel across all replicas, in one Redis hash for each channel. */
export function createPresence({ redis, clock }: { redis: Redis; clock: Clock }) {
  const keyOf = (channel: string) => `bus:{${channel}}:presence`;

  return {
    /** Adds or renews clients (at least every `presenceTtlMs`) and removes others, atomically. */
    async change(
      channel: string,
      joined: readonly ClientInfo[],
      left: readonly string[],
    ): Promise<void> {
      const until = clock.now() + presenceTtlMs;
      const entries = joined.flatMap((info) => [
        info.client,
        JSON.stringify({ until, info } satisfies z.input<typeof Entry>),
      ]);
      const both = redis.multi();
      if (entries.length > 0)
        both.hset(keyOf(channel), ...entries).pexpire(keyOf(channel), presenceTtlMs);
      if (left.length > 0) both.hdel(keyOf(channel), ...left);
      await both.exec();
    },

    /** Returns the clients on a channel, by client id. */
    async list(channel: string): Promise<Record<string, ClientInfo>> {
      const now = clock.now();
      const entries = Object.entries(await redis.hgetall(keyOf(channel))).map(
        ([client, text]) => [client, Entry.parse(JSON.parse(text))] as const,
      );
      return Object.fromEntries(
        entries.filter(([, { until }]) => until > now).map(([client, { info }]) => [client, info]),
      );
    },
  };
}

export type Presence = ReturnType<typeof createPresence>;
