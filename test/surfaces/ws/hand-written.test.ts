import { once } from 'node:events';
import { WebSocket } from 'ws';
import { describe, expect, onTestFinished } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { listen } from '../../support/sockets.ts';
import { it } from '../../support/test.ts';

const app = await sharedApp();
const port = await listen(app);

/** Sends frames. Returns the replies by id once there are `count`, or the close code. */
async function exchange(
  frames: readonly (string | Buffer)[],
  count = 1,
): Promise<{ replies: Map<unknown, object>; code: number | undefined }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/svc/`, { headers: asAdmin });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const replies = new Map<unknown, object>();
  const ended = new Promise<number | undefined>((resolve) => {
    socket.on('close', resolve);
    socket.on('message', (data: Buffer, isBinary) => {
      expect(isBinary).toBe(false);
      for (const line of data.toString().split('\n')) {
        const reply = JSON.parse(line) as { id?: number };
        if (reply.id !== undefined) replies.set(reply.id, reply);
      }
      if (replies.size >= count) resolve(undefined);
    });
  });
  for (const frame of frames) socket.send(frame);
  return { replies, code: await ended };
}

const connect = '{"id":1,"connect":{}}';
const nulls =
  '{"id":1,"connect":{"token":null,"data":null,"subs":null,"name":null,"version":null,' +
  '"headers":null},"subscribe":null}';

describe('a client that is written by hand', () => {
  it.each([
    ['JSON in binary frames', [Buffer.from(connect)]],
    ['null for everything that is optional', [nulls]],
    ['null for the position of a channel', ['{"id":1,"connect":{"subs":{"test":null}}}']],
    [
      'null in the position of a channel',
      ['{"id":1,"connect":{"subs":{"test":{"recover":null,"offset":null,"epoch":null}}}}'],
    ],
    ['spaces around the JSON', [` \t${connect} \r\n`]],
  ])('may send %s', async (_what, frames) => {
    const { replies, code } = await exchange(frames);
    expect(code).toBeUndefined();
    expect(replies.get(1)).toMatchObject({ connect: { ping: 25 } });
  });

  it('may send null to every other command, and several in one binary frame', async () => {
    const commands = [
      connect,
      '{"id":2,"subscribe":{"channel":"test","recover":null,"epoch":null,"offset":null,' +
        '"join_leave":null,"token":null,"data":null}}',
      '{"id":3,"history":{"channel":"test","limit":null,"since":null,"reverse":null}}',
      '{"id":4,"publish":{"channel":"test","data":null}}',
      '{"id":5,"rpc":{"method":"ping","data":null}}',
      '{"id":6,"presence":{"channel":"test"},"rpc":null}',
      '{"send":{"data":null}}',
      '{"id":null}',
      '{"id":7,"unsubscribe":{"channel":"test"}}',
    ];
    const { replies, code } = await exchange([Buffer.from(`${commands.join('\n')}\n`)], 7);
    expect(code).toBeUndefined();
    expect([...replies.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(replies.get(5)).toEqual({ id: 5, rpc: { data: 'pong' } });
    for (const id of [2, 3, 4, 6, 7]) expect(replies.get(id)).not.toHaveProperty('error');
  });

  it('may ping the server, and gets the reply that it waits for', async () => {
    const frames = [`${connect}\n{"id":2,"ping":{}}`, '{"id":3,"ping":{}}'];
    const { replies, code } = await exchange(frames, 3);
    expect(code).toBeUndefined();
    for (const id of [2, 3]) expect(replies.get(id)).toEqual({ id, ping: {} });
  });

  it.each([
    ['an empty text frame', ''],
    ['an empty binary frame', Buffer.alloc(0)],
    ['a BOM before the JSON', `\uFEFF${connect}`],
    ['binary that is not UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
    ['binary that is Protobuf', Buffer.from([4, 8, 1, 34, 0])],
    ['an id without a command', '{"id":1}'],
    ['null for what is required', '{"id":null,"connect":null,"rpc":{}}\n{"id":1,"rpc":null}'],
  ])('is told that the request is bad after %s, as by Centrifugo', async (_what, frame) => {
    const { replies, code } = await exchange([frame]);
    expect({ code, size: replies.size }).toEqual({ code: 3501, size: 0 });
  });
});
