import { z } from 'zod';

/** As in Centrifugo, whose JSON is Go's: a member that is null is one that is missing. */
const orElse = <Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) =>
  schema.nullish().transform((value): z.output<Schema> => value ?? fallback);

const channel = z.string().min(1).max(128);
const offset = orElse(z.int().min(0), 0);
const epoch = orElse(z.string().max(64), '');
const flag = orElse(z.boolean(), false);

/** Any value as JSON text: a parsed copy would lose members such as `__proto__`. */
const Data = z.unknown().transform((value, context) => {
  try {
    const json: unknown = JSON.stringify(value, (_name, part: unknown) => {
      if (typeof part === 'number' && !Number.isFinite(part))
        throw new RangeError('not a number of JSON');
      return part;
    });
    if (typeof json === 'string') return json;
  } catch {
    // Nested too deeply to be serialized.
  }
  context.addIssue({ code: 'custom', message: 'not JSON that can be passed on' });
  return z.NEVER;
});
const id = z.int().min(1).max(0xffff_ffff);

const RecoveryPosition = z.object({ recover: flag, offset, epoch });
const noPosition = { recover: false, offset: 0, epoch: '' };
const OfChannel = z.object({ channel });

/** `token`: an API key or access token. `subs`: positions of server-side subscriptions. */
const Connect = z.object({
  id,
  connect: z.object({
    token: orElse(z.string().max(4096), ''),
    subs: orElse(z.record(channel, orElse(RecoveryPosition, noPosition)), {}),
  }),
});
const Subscribe = z.object({
  id,
  subscribe: RecoveryPosition.extend({ channel, join_leave: flag }),
});
const Unsubscribe = z.object({ id, unsubscribe: OfChannel });
const Publish = z.object({ id, publish: z.object({ channel, data: Data }) });
const Presence = z.object({ id, presence: OfChannel });
const PresenceStats = z.object({ id, presence_stats: OfChannel });
const History = z.object({
  id,
  history: z.object({
    channel,
    limit: orElse(z.int(), 0),
    since: z.object({ offset, epoch }).nullish(),
    reverse: flag,
  }),
});
const Rpc = z.object({
  id,
  rpc: z.object({ method: orElse(z.string().max(64), ''), data: z.unknown().optional() }),
});
const Refresh = z.object({ id, refresh: z.object({ token: z.string().max(4096) }) });
const SubRefresh = z.object({ id, sub_refresh: OfChannel });
const Ping = z.object({ id, ping: z.object({}) });
const Send = z.object({ send: z.object({ data: z.unknown().optional() }) });

/** All commands of the protocol. As in Centrifugo, unknown members are ignored. */
const schemas = {
  connect: Connect,
  subscribe: Subscribe,
  unsubscribe: Unsubscribe,
  publish: Publish,
  presence: Presence,
  presence_stats: PresenceStats,
  history: History,
  rpc: Rpc,
  refresh: Refresh,
  sub_refresh: SubRefresh,
  ping: Ping,
  send: Send,
};
const methods = new Map<string, (typeof schemas)[keyof typeof schemas]>(Object.entries(schemas));

/** A command with invalid parameters. Its reply is an error. */
interface BadCommand {
  id: number;
  bad: true;
}

export type Command = z.output<(typeof schemas)[keyof typeof schemas]> | BadCommand;

/** Higher than the burst of the rate limit. */
const maxLines = 1000;

/** A pong is a command without an id and without a method. */
const isPong = (value: object): boolean => !('id' in value) || value.id === null || value.id === 0;

function parseCommand(line: string): Command | 'pong' | undefined {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [method, ...others] = Object.entries(value).flatMap(([name, parameters]) =>
    methods.has(name) && parameters !== null ? [name] : [],
  );
  if (method === undefined) return isPong(value) ? 'pong' : undefined;
  if (others.length > 0) return undefined;
  const command = methods.get(method)?.safeParse(value).data;
  if (command !== undefined) return command;
  const replyId = id.safeParse('id' in value ? value.id : undefined);
  return replyId.success ? { id: replyId.data, bad: true } : undefined;
}

/**
 * Parses a message: its commands, one per line, and its number of pongs (`{}`). Undefined when it
 * is empty, or a line is neither.
 */
export function parseCommands(text: string): { commands: Command[]; pongs: number } | undefined {
  if (text === '{}') return { commands: [], pongs: 1 };
  if (text === '') return undefined;
  const lines = text.split('\n', maxLines + 1).filter((line) => line.trim() !== '');
  if (lines.length > maxLines) return undefined;
  const commands: Command[] = [];
  let pongs = 0;
  try {
    for (const line of lines) {
      const command = line.trim() === '{}' ? 'pong' : parseCommand(line);
      if (command === undefined) return undefined;
      if (command === 'pong') pongs += 1;
      else commands.push(command);
    }
  } catch {
    return undefined;
  }
  return { commands, pongs };
}
