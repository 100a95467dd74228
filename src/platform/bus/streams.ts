import { randomBytes, randomInt } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ChannelKeeping, Position, Publication } from './types.ts';
import { dayMs } from '../../lib/durations.ts';

/** Everything that is kept of a channel, oldest message first. */
export interface ChannelState extends Position {
  entries: Publication[];
}

/** A message as it comes from Redis. */
export interface Arrived extends Publication {
  epoch: string;
}

const metaTtlMs = 30 * dayMs;

// A Redis that started again may have lost the last messages (its append-only file is synced each
// second). Offsets that were given out before must not be given again: after a restart they leap,
// by chance, for it may lose the same ones twice. Every message names its predecessor, so that who
// has one that got lost is told so, and who has not misses nothing.
const leaps = { least: 2 ** 20, most: 2 ** 38 };
const runId = `string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')`;

const scripts = {
  // json, size, ttl, meta ttl, epoch if there is none, topic, leap if Redis has started again →
  // offset, epoch
  busPublish: `
    local run, meta = ${runId}, redis.call('HMGET', KEYS[1], 'epoch', 'top', 'run')
    local epoch, top = meta[1], tonumber(meta[2] or '0')
    local step = 1
    if not epoch then
      epoch, top = ARGV[5], 0
      redis.call('DEL', KEYS[2])
    elseif meta[3] ~= run then
      step = tonumber(ARGV[7])
    end
    local previous, offset = string.format('%.0f', top), string.format('%.0f', top + step)
    redis.call('HSET', KEYS[1], 'epoch', epoch, 'top', offset, 'run', run)
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    redis.call('XADD', KEYS[2], 'MAXLEN', '=', ARGV[2], offset .. '-0', 'p', previous, 'd', ARGV[1])
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
    redis.call('PUBLISH', ARGV[6], 'pub ' .. epoch .. ' ' .. offset .. ' ' .. previous .. ' ' .. ARGV[1])
    return { offset, epoch }`,
  // epoch if there is none, meta ttl → epoch, top, entries
  busRead: `
    local meta = redis.call('HMGET', KEYS[1], 'epoch', 'top')
    if not meta[1] then
      redis.call('DEL', KEYS[2])
      redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'top', '0', 'run', ${runId})
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return { ARGV[1], '0', {} }
    end
    return { meta[1], meta[2], redis.call('XRANGE', KEYS[2], '-', '+') }`,
};

type Command = (...args: (string | number)[]) => Promise<unknown>;

const Published = z.tuple([z.string(), z.string()]);
const Read = z.tuple([
  z.string(),
  z.string(),
  z.array(z.tuple([z.string(), z.tuple([z.literal('p'), z.string(), z.literal('d'), z.string()])])),
]);

const newEpoch = () => randomBytes(6).toString('base64url');

/**
 * The message in what Redis passes on: `kind epoch offset previous json`; undefined when it is
 * none.
 */
export function parseArrived(text: string): Arrived | undefined {
  const [, kind, epoch = '', offset = '', previous = '', json = ''] =
    /^(pub|join|leave) (\S+) (\d+) (\d+) (.*)$/s.exec(text) ?? [];
  if (kind !== 'pub' && kind !== 'join' && kind !== 'leave') return undefined;
  return { kind, epoch, offset: Number(offset), previous: Number(previous), json };
}

/**
 * Channels in Redis: a stream of the last messages, where the channel stands, and a topic on which
 * replicas hear of new ones.
 */
export function createStreams(redis: Redis, prefix: string) {
  for (const [name, lua] of Object.entries(scripts))
    redis.defineCommand(name, { numberOfKeys: 2, lua });
  const run = (name: keyof typeof scripts, channel: string, ...args: (string | number)[]) => {
    const command = Reflect.get(redis, name) as Command;
    return command.call(
      redis,
      `${prefix}:{${channel}}:meta`,
      `${prefix}:{${channel}}:stream`,
      ...args,
    );
  };
  const topicOf = (channel: string) => `${prefix}:on:${channel}`;

  return {
    /** The name under which Redis passes the channel's messages on. */
    topicOf,

    /** Keeps a message and passes it on, both or neither. Gives its position. */
    async publish(
      channel: string,
      json: string,
      { size, ttlMs }: ChannelKeeping,
    ): Promise<Position> {
      const [offset, epoch] = Published.parse(
        await run(
          'busPublish',
          channel,
          json,
          size,
          ttlMs,
          metaTtlMs,
          newEpoch(),
          topicOf(channel),
          randomInt(leaps.least, leaps.most),
        ),
      );
      return { offset: Number(offset), epoch };
    },

    /** Passes a message on that nobody has to catch up with. */
    pass: (channel: string, kind: Publication['kind'], json: string): Promise<unknown> =>
      redis.publish(topicOf(channel), `${kind} - 0 0 ${json}`),

    /** What can be caught up with. The channel begins its epoch here if it had none. */
    async read(channel: string): Promise<ChannelState> {
      const [epoch, top, rows] = Read.parse(await run('busRead', channel, newEpoch(), metaTtlMs));
      const entries = rows.map(([id, [, previous, , json]]): Publication => ({
        kind: 'pub',
        offset: Number(id.split('-', 1)[0]),
        previous: Number(previous),
        json,
      }));
      return { epoch, offset: Number(top), entries };
    },

    /** How many replicas listen to each of the channels. */
    async listeners(channels: readonly string[]): Promise<number[]> {
      if (channels.length === 0) return [];
      const counts = z
        .array(z.union([z.string(), z.coerce.number()]))
        .parse(await redis.pubsub('NUMSUB', ...channels.map(topicOf)));
      return channels.map((_channel, at) => Number(counts[2 * at + 1] ?? 0));
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;
