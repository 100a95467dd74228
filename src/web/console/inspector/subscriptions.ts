import type { MessageEvents } from '../../messages/events.ts';
import type { LiveSocket } from '../live/live-socket.ts';
import { texts } from './texts/en.ts';
import type { MessageList } from './message-list.ts';

const { connection } = texts;

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

const formatDuration = (ms: number): string =>
  ms < 1000 ? connection.lessThanSecond : connection.seconds({ count: Math.round(ms / 1000) });

/** Describes an outage that has ended: what came late, and what may be lost. */
function outageText(
  outageMs: number,
  late: number,
  channels: readonly string[],
  recovered: Readonly<Record<string, boolean>>,
): string {
  const lost = channels.filter((channel) => recovered[channel] !== true).join(', ');
  return connection.restored({ duration: formatDuration(outageMs), late, lost });
}

export interface SubscriptionsOptions {
  live: LiveSocket;
  list: MessageList;
  /** Shows the state of the connection. */
  showState: (text: string, tone: Tone) => void;
  /** Called with all channels when they have changed. */
  onChange: (channels: readonly string[]) => void;
}

/** Adds a note after each outage: what came late, and what may be lost. */
function createOutageNotes({ list, showState }: SubscriptionsOptions) {
  let disconnectedAt: number | undefined;
  let late = 0;
  return {
    connected(channels: readonly string[], recovered: Readonly<Record<string, boolean>>): void {
      showState(connection.connected, 'good');
      if (disconnectedAt !== undefined)
        list.note(outageText(Date.now() - disconnectedAt, late, channels, recovered));
      disconnectedAt = undefined;
    },
    disconnected({ reason, willReconnect }: MessageEvents['disconnected']): void {
      disconnectedAt ??= Date.now();
      late = 0;
      if (willReconnect) showState(connection.lost, 'warn');
      else showState(connection.ended({ reason }), 'bad');
    },
    received(): void {
      if (disconnectedAt !== undefined) late += 1;
    },
  };
}

/** The channels of the inspector, kept across reconnects. */
export function createSubscriptions(options: SubscriptionsOptions) {
  const { live, list, showState, onChange } = options;
  const outages = createOutageNotes(options);
  const channels = new Set<string>();
  let isConnected = false;
  let pendingActions: (() => void)[] = [];

  function leave(channel: string): boolean {
    const wasSubscribed = channels.delete(channel);
    onChange([...channels]);
    return wasSubscribed;
  }

  function onError({ message, channel, temporary }: MessageEvents['error']): void {
    if (channel === undefined || temporary === true || !leave(channel)) return;
    list.note(texts.inspector.problem({ channel, problem: message }), true);
  }

  live.onMessage(({ channel, data, offset }) => {
    if (!channels.has(channel)) return;
    outages.received();
    list.add({ channel, data, offset, isOld: false });
  });
  live.onEvent((type, detail) => {
    if (type === 'connected' && 'recovered' in detail) {
      isConnected = true;
      outages.connected([...channels], detail.recovered);
      for (const action of pendingActions.splice(0)) action();
    } else if (type === 'disconnected' && 'willReconnect' in detail) {
      isConnected = false;
      pendingActions = [];
      outages.disconnected(detail);
    } else if (type === 'error' && 'message' in detail) onError(detail);
  });

  return {
    subscribe(channel: string): void {
      if (channel === '' || channels.has(channel)) return;
      channels.add(channel);
      onChange([...channels]);
      if (!isConnected) showState(connection.connecting, 'quiet');
      live.add(channel);
    },

    unsubscribe(channel: string): void {
      if (leave(channel)) live.remove(channel);
    },

    /** Runs `action` once connected. */
    whenConnected(action: () => void): void {
      if (isConnected) action();
      else pendingActions.push(action);
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
