import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createConnections } from '../../../../src/platform/http/connections/connections.ts';

async function open(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const connections = createConnections(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  async function get(): Promise<IncomingMessage> {
    const [response] = (await once(
      httpRequest({ port, host: '127.0.0.1', agent }).end(),
      'response',
    )) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  }
  const count = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, open) => (error === null ? resolve(open) : reject(error))),
    );
  return { server, connections, port, get, count };
}

test('responses announce and close their connections once the service winds down', async () => {
  const held: (() => void)[] = [];
  const { connections, get, count } = await open(
    (_request, response) => void held.push(() => response.end('x')),
  );
  const release = async () => {
    await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
    held.pop()?.();
  };
  const first = get();
  await release();
  expect((await first).headers.connection).toBe('keep-alive');

  const underWay = get();
  await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
  connections.windDown();
  held.pop()?.();
  expect((await underWay).headers.connection).toBe('close');
  const later = get();
  await release();
  expect((await later).headers.connection).toBe('close');
  await vi.waitFor(async () => expect(await count()).toBe(0), 10_000);
});

test('a response that has started is not changed', async () => {
  const held: (() => void)[] = [];
  const { connections, get } = await open((_request, response) => {
    response.write('a');
    held.push(() => response.end('b'));
  });
  const begun = get();
  await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
  connections.windDown();
  held.pop()?.();
  expect((await begun).headers.connection).toBe('keep-alive');
});

test('closes unused connections first and finally all, including upgraded ones', async () => {
  const { server, connections, port, count } = await open(() => undefined);
  server.on(
    'upgrade',
    (_request, socket) =>
      void socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      ),
  );
  const [silent, half, upgraded] = [connect(port), connect(port), connect(port)];
  for (const socket of [silent, half, upgraded]) socket.on('error', () => undefined).resume();
  half.write('GET / HT');
  upgraded.write('GET / HTTP/1.1\r\nhost: a\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  await vi.waitFor(() => expect(upgraded.bytesRead).toBeGreaterThan(0), 10_000);
  await vi.waitFor(async () => expect(await count()).toBe(3), 10_000);
  connections.dropUnused();
  await vi.waitFor(() => expect(silent.closed).toBe(true), 10_000);
  expect({ half, upgraded }).toMatchObject({
    half: { closed: false },
    upgraded: { closed: false },
  });
  connections.dropAll();
  await vi.waitFor(() => expect(half.closed && upgraded.closed).toBe(true), 10_000);
});
