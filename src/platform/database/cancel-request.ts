import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** Fields of the driver's connection that its types do not declare. */
const connectionSchema = z.object({
  processID: z.int(),
  secretKey: z.int(),
  host: z.string(),
  port: z.int(),
  ssl: z.union([z.literal(false), z.literal(true).transform(() => ({})), z.looseObject({})]),
});
type ServerConnection = z.output<typeof connectionSchema>;

/** Milliseconds between requests. A request that arrives before its statement has no effect. */
const retryMs = 250;
const timeoutMs = 2000;

// The two messages of the protocol that need no login: a length, then a code in place of the
// version.
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
  const channel = ssl === false ? socket : await upgradeToTls(socket, { ...connection, ssl });
  channel.on('error', () => socket.destroy());
  channel.write(message(cancelRequestCode, processID, secretKey));
  // The server sends no reply. It closes the connection after the cancel.
  channel.resume();
  await once(socket, 'close');
}

/**
 * Asks the server once to cancel the statement of `connection`. This uses the protocol's cancel
 * request instead of `pg_cancel_backend`: it needs neither a login nor one of the server's
 * connections, which may all be in use, and poolers forward it.
 */
async function requestCancel(connection: ServerConnection): Promise<void> {
  const { host, port } = connection;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(timeoutMs, () => socket.destroy());
  socket.on('error', () => undefined);
  try {
    await send(socket, connection);
  } finally {
    socket.destroy();
  }
}

/** Repeats a cancel request for a client's statement until `finished` is aborted. Never rejects. */
export async function cancelUntil(client: object, finished: AbortSignal): Promise<void> {
  const connection = connectionSchema.safeParse(client);
  while (connection.success && !finished.aborted) {
    await requestCancel(connection.data).catch(() => undefined);
    await delay(retryMs, undefined, { signal: finished, ref: false }).catch(() => undefined);
  }
}
