import { randomBytes, randomInt } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { dayMs } from '../../lib/durations.ts';
import type { ChannelHistory, Position, Publication } from './types.ts';

/** Everything that is kept of a channel, oldest message first. */
export interface ChannelState extends Position {
  entries: Publication[];
}

/** A message as it comes from Redis. */
export interface Arrived extends Publication {
  epoch: string;
}

const metaTtlMs = 30 * dayMs;

// A Redis that started again may have lost the last messages: its append-only file is synced each
// second. Offsets must not be given out twice, so after a restart they leap, at random, because the
// same ones may get lost twice. Every message names its predecessor: whoever has one that got lost
// is told so, and whoever has not misses nothing.
const leaps = { min: 2 ** 20, max: 2 ** 38 };
const runId = `string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')`;

const scripts = {
  // json, size, ttl, meta ttl, epoch if there is none, topic, leap if Redis has restarted
  // → offset, epoch
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
    local header = 'pub ' .. epoch .. ' ' .. offset .. ' ' .. previous .. ' '
    redis.call('PUBLISH', ARGV[6], header .. ARGV[1])
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
const Row = z.tuple([
  z.string(),
  z.tuple([z.literal('p'), z.string(), z.literal('d'), z.string()]),
]);
const Read = z.tuple([z.string(), z.string(), z.array(Row)]);
const Counts = z.array(z.union([z.string(), z.coerce.number()]));

const newEpoch = () => randomBytes(6).toString('base64url');

/** Parses what Redis passes on, `kind epoch offset previous json`; undefined for anything else. */
export function parseArrived(text: string): Arrived | undefined {
  const [, kind, epoch = '', offset = '', previous = '', json = ''] =
    /^(pub|join|leave) (\S+) (\d+) (\d+) (.*)$/s.exec(text) ?? [];
  if (kind !== 'pub' && kind !== 'join' && kind !== 'leave') return undefined;
  return { kind, epoch, offset: Number(offset), previous: Number(previous), json };
}

/** Defines the scripts on the connection, and gives the function that runs one for a channel. */
function createRunner(redis: Redis, prefix: string) {
  for (const [name, lua] of Object.entries(scripts))
    redis.defineCommand(name, { numberOfKeys: 2, lua });
  return (name: keyof typeof scripts, channel: string, ...args: (string | number)[]) => {
    const command = Reflect.get(redis, name) as Command;
    const key = `${prefix}:{${channel}}`;
    return command.call(redis, `${key}:meta`, `${key}:stream`, ...args);
  };
}

const publicationOf = ([id, [, previous, , json]]: z.output<typeof Row>): Publication => ({
  kind: 'pub',
  offset: Number(id.split('-', 1)[0]),
  previous: Number(previous),
  json,
});

/** Channels in Redis: a stream of the last messages, a position, and a topic for new ones. */
export function createStreams(redis: Redis, prefix: string) {
  const run = createRunner(redis, prefix);
  const topicOf = (channel: string) => `${prefix}:on:${channel}`;

  return {
    /** The name under which Redis passes the channel's messages on. */
    topicOf,

    /** Keeps a message and passes it on, both or neither. Gives its position. */
    async publish(
      channel: string,
      json: string,
      { size, ttlMs }: ChannelHistory,
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
          randomInt(leaps.min, leaps.max),
        ),
      );
      return { offset: Number(offset), epoch };
    },

    /** Passes a message on that nobody has to catch up with. */
    broadcast: (channel: string, kind: Publication['kind'], json: string): Promise<unknown> =>
      redis.publish(topicOf(channel), `${kind} - 0 0 ${json}`),

    /** What can be caught up with. The channel begins its epoch here if it had none. */
    async read(channel: string): Promise<ChannelState> {
      const [epoch, top, rows] = Read.parse(await run('busRead', channel, newEpoch(), metaTtlMs));
      return { epoch, offset: Number(top), entries: rows.map(publicationOf) };
    },

    /** How many replicas listen to each of the channels. */
    async listeners(channels: readonly string[]): Promise<number[]> {
      if (channels.length === 0) return [];
      const counts = Counts.parse(await redis.pubsub('NUMSUB', ...channels.map(topicOf)));
      return channels.map((_channel, at) => Number(counts[2 * at + 1] ?? 0));
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;
