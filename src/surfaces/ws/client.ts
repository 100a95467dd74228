import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { textFrame } from '../../lib/net/websocket-frame.ts';
import type { Endpoint } from '../../areas/realtime/channels.ts';
import { type ClosingName, closings } from './codes.ts';
import type { Identity } from './identities.ts';

/** What we need of a WebSocket of `ws`. */
export type Connection = Pick<
  WebSocket,
  | 'on'
  | 'removeAllListeners'
  | 'readyState'
  | 'close'
  | 'terminate'
  | 'pause'
  | 'resume'
  | 'isPaused'
>;

/** A channel that a client hears. */
export interface Subscription {
  channel: string;
  /** It is told who comes and goes. */
  wantsPresence: boolean;
  /** The server made it, not a command. */
  isServerSide: boolean;
  /** What is told before the client knows that it hears the channel; undefined afterwards. */
  held: Buffer[] | undefined;
}

/** One socket. Thousands are held at once: a plain record, without functions of its own. */
export interface Client {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly webSocket: Connection;
  readonly socket: Socket;
  /** Who limits count it for. */
  readonly address: string;
  /** False when it asked for the unidirectional form: then it only listens. */
  readonly maySpeak: boolean;
  /** `new` until it has said `connect`; `uni` only listens. */
  mode: 'new' | 'bidi' | 'uni';
  /** It was told that it is connected: nothing comes before that. */
  isGreeted: boolean;
  identity: Identity;
  readonly subscriptions: Map<string, Subscription>;
  /** Channels that are being subscribed to. */
  pending: number;
  isClosed: boolean;
  isCorked: boolean;
  /** A ping was sent and not answered yet. */
  awaitsPong: boolean;
  /** Commands that may still come at once, as of `tokensAt` (Unix ms). */
  tokens: number;
  tokensAt: number;
  errors: number;
  /** Bytes that wait to be handled, and what the next command waits for. */
  backlog: number;
  work: Promise<void> | undefined;
}

/** Bytes that may wait to be written to one socket. */
export const queueLimit = 1024 * 1024;

const open = 1;
const closingPatienceMs = 5000;

export const isOpen = ({ webSocket, isClosed }: Client): boolean =>
  !isClosed && webSocket.readyState === open;

/** Writes a frame as it is. False when the client reads so slowly that too much is waiting. */
export function writeFrame(client: Client, frame: Buffer): boolean {
  if (!isOpen(client)) return true;
  client.socket.write(frame);
  return client.socket.writableLength <= queueLimit;
}

/** Writes a message; those of one turn go out together. */
export function send(client: Client, text: string): void {
  if (!isOpen(client)) return;
  const { socket } = client;
  if (!client.isCorked) {
    client.isCorked = true;
    socket.cork();
    process.nextTick(() => {
      client.isCorked = false;
      socket.uncork();
    });
  }
  socket.write(textFrame(text));
}

/** Closes the socket with its reason; by force when the client does not close its side. */
export function close(client: Client, name: ClosingName): void {
  if (!isOpen(client)) return;
  const { code, reason } = closings[name];
  if (client.mode === 'uni') send(client, JSON.stringify({ disconnect: { code, reason } }));
  client.webSocket.close(code, reason);
  setTimeout(() => client.webSocket.terminate(), closingPatienceMs).unref();
}
