import { isUtf8 } from 'node:buffer';
import type { Logger } from 'pino';
import type { RawData } from 'ws';
import { type Client, commandBurst, disconnect, isOpen } from '../clients/client.ts';
import type { CommandHandlers } from './command-handlers.ts';
import { type Command, parseCommands } from './commands.ts';

export interface CommandQueueDeps {
  handlers: Pick<CommandHandlers, 'handle' | 'unsubscribe'>;
  now: () => number;
  logger: Logger;
}

const commandsPerSecond = 100;
const maxErrors = 100;
const maxQueuedBytes = 128 * 1024;

/** Takes tokens from the bucket of a client. Returns true when it is exhausted. */
function isTooFast(client: Client, now: number, cost = 1): boolean {
  const refill = ((now - client.tokensAt) / 1000) * commandsPerSecond;
  client.tokens = Math.min(commandBurst, client.tokens + refill) - cost;
  client.tokensAt = now;
  return client.tokens < 0;
}

async function handle(
  client: Client,
  command: Command,
  { handlers, now, logger }: CommandQueueDeps,
): Promise<void> {
  if (!isOpen(client)) return;
  const isConnect = 'connect' in command;
  // `connect` must be the first command, and may be sent only once.
  if ((client.mode === 'new') !== isConnect) {
    disconnect(client, 'bad_request');
    return;
  }
  if (isTooFast(client, now())) {
    disconnect(client, 'too_many_requests');
    return;
  }
  await handlers
    .handle(client, command)
    .catch((error: unknown) => logger.error({ err: error }, 'a command failed'));
  if (client.errorCount >= maxErrors) disconnect(client, 'too_many_errors');
}

/** Resets a client that was connected as a silent one, but then sent a command. */
function restart(client: Client, { handlers }: CommandQueueDeps): void {
  for (const channel of [...client.subscriptions.keys()]) handlers.unsubscribe(client, channel);
  client.mode = 'new';
  client.isConnected = false;
}

/** Handles the messages of clients: commands in order, at a limited rate. */
export function createCommandQueue(deps: CommandQueueDeps) {
  const { now } = deps;

  async function handleAll(
    client: Client,
    previous: Promise<void> | undefined,
    commands: readonly Command[],
    bytes: number,
  ): Promise<void> {
    await previous;
    if (client.mode === 'uni') restart(client, deps);
    for (const command of commands) await handle(client, command, deps);
    client.queuedBytes -= bytes;
    if (client.queuedBytes <= maxQueuedBytes && client.webSocket.isPaused)
      client.webSocket.resume();
    if (client.queuedBytes === 0) client.work = undefined;
  }

  // Backpressure: the socket is paused while too many bytes are queued.
  function enqueue(client: Client, commands: readonly Command[], bytes: number): void {
    client.queuedBytes += bytes;
    if (client.queuedBytes > maxQueuedBytes) client.webSocket.pause();
    client.work = handleAll(client, client.work, commands, bytes);
  }

  return {
    /** JSON may come in text and in binary frames, as in Centrifugo. */
    onMessage(client: Client, data: RawData): void {
      if (!isOpen(client)) return;
      const text = Buffer.isBuffer(data) && isUtf8(data) ? data.toString() : undefined;
      const parsed = text === undefined ? undefined : parseCommands(text);
      if (
        text === undefined ||
        parsed === undefined ||
        (parsed.commands.length > 0 && !client.canSend)
      ) {
        disconnect(client, 'bad_request');
        return;
      }
      const { commands, pongs } = parsed;
      if (pongs > 0) client.awaitsPong = false;
      if (commands.length > 0) enqueue(client, commands, text.length);
      // Commands take their tokens when they are handled.
      if (isTooFast(client, now(), commands.length > 0 ? pongs : Math.max(1, pongs)))
        disconnect(client, 'too_many_requests');
    },
  };
}
