import { z } from 'zod';

const channel = z.string().min(1).max(128);
const offset = z.int().min(0).default(0);
const epoch = z.string().max(64).default('');

const Recovering = z.object({ recover: z.boolean().default(false), offset, epoch });

const Connect = z.object({
  token: z.string().max(4096).default(''),
  /** Positions of subscriptions that the server makes. */
  subs: z.record(channel, Recovering).default({}),
});
const Subscribe = Recovering.extend({ channel, join_leave: z.boolean().default(false) });
const OfChannel = z.object({ channel });
const Publish = z.object({ channel, data: z.json() });
const History = z.object({
  channel,
  limit: z.int().default(0),
  since: z.object({ offset, epoch }).nullish(),
  reverse: z.boolean().default(false),
});
const Rpc = z.object({ method: z.string().max(64).default(''), data: z.json().optional() });
const Refresh = z.object({ token: z.string().max(4096) });

const id = z.int().min(1).max(0xffff_ffff);
/** Every command of the protocol. What Centrifugo has besides and we don't need is left out: members that are not known are ignored, as there. */
const Command = z.union([
  z.object({ id, connect: Connect }),
  z.object({ id, subscribe: Subscribe }),
  z.object({ id, unsubscribe: OfChannel }),
  z.object({ id, publish: Publish }),
  z.object({ id, presence: OfChannel }),
  z.object({ id, presence_stats: OfChannel }),
  z.object({ id, history: History }),
  z.object({ id, rpc: Rpc }),
  z.object({ id, refresh: Refresh }),
  z.object({ id, sub_refresh: OfChannel }),
  z.object({ send: z.object({ data: z.json().optional() }) }),
]);
export type Command = z.output<typeof Command>;

/** The commands of one message, one a line, and how many lines were pongs (`{}`). Undefined when one of them is none: then nothing of the message is done. */
export function readCommands(text: string): { commands: Command[]; pongs: number } | undefined {
  if (text === '{}') return { commands: [], pongs: 1 };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const commands: Command[] = [];
  try {
    for (const line of lines.filter((each) => each.trim() !== '{}')) {
      const command = Command.safeParse(JSON.parse(line));
      if (!command.success) return undefined;
      commands.push(command.data);
    }
  } catch {
    return undefined;
  }
  return { commands, pongs: lines.length - commands.length };
}
