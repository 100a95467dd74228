import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { limitConnections } from '../../../../src/platform/http/connections/connection-limit.ts';

async function serve(trustedProxies: readonly string[]): Promise<(localAddress: string) => Socket> {
  const server = createServer((_request, response) => response.end('here'));
  limitConnections(server, trustedProxies, 3);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (localAddress) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
}

async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const [first] = (await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => [undefined]),
  ])) as [unknown];
  return first !== undefined;
}

describe('an address with too many connections', () => {
  it('gets no new one until one of them ends, while other addresses do', async () => {
    const open = await serve([]);
    const held = [open('127.0.5.1'), open('127.0.5.1'), open('127.0.5.1')];
    for (const socket of held) expect(await isAnswered(socket)).toBe(true);
    expect(await isAnswered(open('127.0.5.1'))).toBe(false);
    expect(await isAnswered(open('127.0.5.2'))).toBe(true);
    held[0]?.destroy();
    await vi.waitFor(async () => expect(await isAnswered(open('127.0.5.1'))).toBe(true), 10_000);
  });

  it('may have any number if it is a trusted proxy', async () => {
    const open = await serve(['127.0.6.0/24']);
    for (let at = 0; at < 10; at += 1) expect(await isAnswered(open('127.0.6.1'))).toBe(true);
  });
});
