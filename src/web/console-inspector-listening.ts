import type { createMessageList } from './console-inspector-list.ts';
import type { Live } from './console-socket.ts';
import type { Messages } from './messages-events.ts';

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** How long something was away. */
const lengthOf = (ms: number): string =>
  ms < 1000 ? 'less than a second' : `${Math.round(ms / 1000)} s`;

/** What is said of an outage that is over: what came late, and what is lost. */
function outageText(
  awayMs: number,
  late: number,
  listening: readonly string[],
  recovered: Readonly<Record<string, boolean>>,
): string {
  const caughtUp = late === 0 ? '' : `; ${late} ${late === 1 ? 'message' : 'messages'} came late`;
  const lost = listening.filter((channel) => recovered[channel] !== true);
  const missed =
    lost.length === 0
      ? 'nothing was missed'
      : `what was said on ${lost.join(', ')} meanwhile may be lost`;
  return `Back after ${lengthOf(awayMs)}: ${missed}${caughtUp}.`;
}

export interface ListeningOptions {
  live: Live;
  list: ReturnType<typeof createMessageList>;
  /** Shows how the connection is. */
  tell: (text: string, tone: Tone) => void;
  /** Called when other channels are listened to. */
  changed: (channels: readonly string[]) => void;
}

/**
 * The channels that the inspector listens to, over drops of the connection: what came late or is
 * lost is said in the list.
 */
export function createListening({ live, list, tell, changed }: ListeningOptions) {
  const channels = new Set<string>();
  let isConnected = false;
  let awaySince: number | undefined;
  let late = 0;
  let waiting: (() => void)[] = [];

  function drop(channel: string): boolean {
    const was = channels.delete(channel);
    changed([...channels]);
    return was;
  }

  function connected({ recovered }: Messages['connected']): void {
    isConnected = true;
    tell('Connected', 'good');
    if (awaySince !== undefined)
      list.note(outageText(Date.now() - awaySince, late, [...channels], recovered));
    awaySince = undefined;
    for (const action of waiting.splice(0)) action();
  }

  function disconnected({ reason, willReconnect }: Messages['disconnected']): void {
    isConnected = false;
    awaySince ??= Date.now();
    late = 0;
    waiting = [];
    tell(
      willReconnect
        ? 'Connection lost, trying again …'
        : `The server ended the connection: ${reason}`,
      willReconnect ? 'warn' : 'bad',
    );
  }

  function refused({ message, channel, temporary }: Messages['error']): void {
    if (channel === undefined || temporary === true || !drop(channel)) return;
    list.note(`${channel}: ${message}`, true);
  }

  function heard({ channel, data, offset }: Messages['message']): void {
    if (!channels.has(channel)) return;
    if (awaySince !== undefined) late += 1;
    list.add({ channel, data, offset, isOld: false });
  }

  live.onTold((type, detail) => {
    if (type === 'message' && 'data' in detail) heard(detail);
    else if (type === 'connected' && 'recovered' in detail) connected(detail);
    else if (type === 'disconnected' && 'willReconnect' in detail) disconnected(detail);
    else if (type === 'error' && 'message' in detail) refused(detail);
  });

  return {
    listen(channel: string): void {
      if (channel === '' || channels.has(channel)) return;
      channels.add(channel);
      changed([...channels]);
      if (!isConnected) tell('Connecting …', 'quiet');
      live.add(channel);
    },

    leave(channel: string): void {
      if (drop(channel)) live.remove(channel);
    },

    /** Runs it as soon as there is a connection. */
    whenConnected(action: () => void): void {
      if (isConnected) action();
      else waiting.push(action);
    },
  };
}
