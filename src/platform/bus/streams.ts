import { randomBytes, randomInt } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { dayMs } from '../../lib/durations.ts';
import { defineScript } from '../redis/script.ts';
import type { ChannelHistory, Position, Publication } from './types.ts';

/** The kept history of a channel, oldest message first. */
export interface ChannelState extends Position {
  entries: Publication[];
}

/** A message as received from Redis. */
export interface ReceivedMessage extends Publication {
  epoch: string;
}

const metaTtlMs = 30 * dayMs;

// A Redis that has restarted may have lost the last messages, because it syncs its append-only file
// once a second. No offset may be assigned twice, so offsets skip ahead after a restart, by a
// random step because Redis may lose the same messages twice. Every message names its predecessor:
// a client that received a lost message finds out, and any other client has missed nothing.
const restartSkip = { min: 2 ** 20, max: 2 ** 38 };
const runId = `string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')`;

// json, size, ttl, meta ttl, epoch for a new channel, topic, step after a restart → offset, epoch
const publishScript = `
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
    return { offset, epoch }`;

// epoch for a new channel, meta ttl → epoch, top, entries
const readScript = `
    local meta = redis.call('HMGET', KEYS[1], 'epoch', 'top')
    if not meta[1] then
      redis.call('DEL', KEYS[2])
      redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'top', '0', 'run', ${runId})
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return { ARGV[1], '0', {} }
    end
    return { meta[1], meta[2], redis.call('XRANGE', KEYS[2], '-', '+') }`;

const PublishReply = z.tuple([z.string(), z.string()]);
const Row = z.tuple([
  z.string(),
  z.tuple([z.literal('p'), z.string(), z.literal('d'), z.string()]),
]);
const ReadReply = z.tuple([z.string(), z.string(), z.array(Row)]);
const NumsubReply = z.array(z.union([z.string(), z.coerce.number()]));

const newEpoch = () => randomBytes(6).toString('base64url');

/** Parses a received message, `kind epoch offset previous json`; undefined if it is invalid. */
export function parseMessage(text: string): ReceivedMessage | undefined {
  const [, kind, epoch = '', offset = '', previous = '', json = ''] =
    /^(pub|join|leave) (\S+) (\d+) (\d+) (.*)$/s.exec(text) ?? [];
  if (kind !== 'pub' && kind !== 'join' && kind !== 'leave') return undefined;
  return { kind, epoch, offset: Number(offset), previous: Number(previous), json };
}

const publicationOf = ([id, [, previous, , json]]: z.output<typeof Row>): Publication => ({
  kind: 'pub',
  offset: Number(id.split('-', 1)[0]),
  previous: Number(previous),
  json,
});

/** Channels in Redis: a stream of recent messages, a position, and a pub/sub topic for new ones. */
export function createStreams(redis: Redis, prefix: string) {
  const publishIn = defineScript(redis, {
    name: 'busPublish',
    lua: publishScript,
    reply: PublishReply,
  });
  const readIn = defineScript(redis, { name: 'busRead', lua: readScript, reply: ReadReply });
  return { topicOf, publish, broadcast, read, listeners };

  /** The Redis pub/sub topic of a channel. */
  function topicOf(channel: string): string {
    return `${prefix}:on:${channel}`;
  }

  function keysOf(channel: string): string[] {
    const key = `${prefix}:{${channel}}`;
    return [`${key}:meta`, `${key}:stream`];
  }

  /** Stores and broadcasts a message atomically. Returns its position. */
  async function publish(
    channel: string,
    json: string,
    { size, ttlMs }: ChannelHistory,
  ): Promise<Position> {
    const [offset, epoch] = await publishIn(
      keysOf(channel),
      json,
      size,
      ttlMs,
      metaTtlMs,
      newEpoch(),
      topicOf(channel),
      randomInt(restartSkip.min, restartSkip.max),
    );
    return { offset: Number(offset), epoch };
  }

  /** Broadcasts a message without storing it, such as that a client joined or left the channel. */
  function broadcast(channel: string, kind: Publication['kind'], json: string): Promise<unknown> {
    return redis.publish(topicOf(channel), `${kind} - 0 0 ${json}`);
  }

  /** Reads the kept history. Starts an epoch for a channel that has none. */
  async function read(channel: string): Promise<ChannelState> {
    const [epoch, top, rows] = await readIn(keysOf(channel), newEpoch(), metaTtlMs);
    return { epoch, offset: Number(top), entries: rows.map(publicationOf) };
  }

  /** Returns the number of subscribed replicas for each channel, in the order of `channels`. */
  async function listeners(channels: readonly string[]): Promise<number[]> {
    if (channels.length === 0) return [];
    const counts = NumsubReply.parse(await redis.pubsub('NUMSUB', ...channels.map(topicOf)));
    return channels.map((_channel, at) => Number(counts[2 * at + 1] ?? 0));
  }
}

export type Streams = ReturnType<typeof createStreams>;
