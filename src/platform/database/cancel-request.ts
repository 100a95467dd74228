import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** What the driver knows of a connection, beyond its types. */
const connectionSchema = z.object({
  processID: z.int(),
  secretKey: z.int(),
  host: z.string(),
  port: z.int(),
  ssl: z.union([z.literal(false), z.literal(true).transform(() => ({})), z.looseObject({})]),
});
type ServerConnection = z.output<typeof connectionSchema>;

/** Repeat interval, ms: a request that precedes the statement does nothing. */
const retryMs = 250;
const limitMs = 2000;

// The two messages of the protocol that need no login: they begin with their length and a code
// instead of a version.
const message = (...words: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * (words.length + 1));
  [bytes.length, ...words].forEach((word, at) => bytes.writeInt32BE(word, 4 * at));
  return bytes;
};
const sslRequestCode = 80877103;
const cancelRequestCode = 80877102;

async function upgradeToTls(
  socket: Socket,
  { host, ssl }: ServerConnection & { ssl: object },
): Promise<Socket> {
  socket.write(message(sslRequestCode));
  const [answer] = z.tuple([z.instanceof(Buffer)]).parse(await once(socket, 'data'));
  if (answer.toString('latin1') !== 'S')
    throw new Error('the server has no TLS for a cancel request');
  return connectTls({ host, ...ssl, socket });
}

async function send(socket: Socket, connection: ServerConnection): Promise<void> {
  const { ssl, processID, secretKey } = connection;
  const way = ssl === false ? socket : await upgradeToTls(socket, { ...connection, ssl });
  way.on('error', () => socket.destroy());
  way.write(message(cancelRequestCode, processID, secretKey));
  // The server answers nothing: it closes the connection when it has done it.
  way.resume();
  await once(socket, 'close');
}

/**
 * Asks the server once to cancel what `connection` is doing. A request of the protocol and no
 * `pg_cancel_backend`: it needs neither a login nor one of the server's connections, which may all
 * be in use, and poolers pass it on.
 */
async function requestCancel(connection: ServerConnection): Promise<void> {
  const { host, port } = connection;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(limitMs, () => socket.destroy());
  socket.on('error', () => undefined);
  try {
    await send(socket, connection);
  } finally {
    socket.destroy();
  }
}

/** Repeats a cancel request for a client's statement until `over` is aborted. Never rejects. */
export async function cancelUntil(client: object, over: AbortSignal): Promise<void> {
  const connection = connectionSchema.safeParse(client);
  while (connection.success && !over.aborted) {
    await requestCancel(connection.data).catch(() => undefined);
    await delay(retryMs, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}
