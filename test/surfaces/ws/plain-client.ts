import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

/** One line of a frame as JSON. Tests match it with `toMatchObject`. */
// oxlint-disable-next-line typescript/no-explicit-any -- the received shape is what is tested
export type Line = Record<string, any>;

export interface PlainOptions {
  headers?: Record<string, string>;
  protocols?: string[];
  /** The local IP address. */
  from?: string;
}

/**
 * A client that sends exactly what a test tells it to, and records everything that it receives. It
 * closes with the test.
 */
export function plain(
  port: number,
  path: string,
  { headers = {}, protocols = [], from = '127.0.0.1' }: PlainOptions = {},
) {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, {
    headers,
    perMessageDeflate: false,
    localAddress: from,
  });
  const lines: Line[] = [];
  const frames: string[] = [];
  const state = {
    closed: undefined as { code: number; reason: string } | undefined,
    refused: undefined as
      { status: number; headers: Record<string, unknown>; body: string } | undefined,
  };
  let nextId = 1;
  webSocket.on('message', (data, isBinary) => {
    const text = String(data);
    frames.push(isBinary ? 'binary' : text);
    // Pings can arrive between other messages.
    for (const line of text.split('\n')) if (line !== '{}') lines.push(JSON.parse(line) as Line);
  });
  webSocket.on('close', (code, reason) => {
    state.closed ??= { code, reason: reason.toString() };
  });
  webSocket.on('error', () => undefined);
  webSocket.on('unexpected-response', (request, response) => {
    let body = '';
    response.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    response.on('end', () => {
      state.refused = { status: response.statusCode ?? 0, headers: response.headers, body };
      request.destroy();
    });
  });
  onTestFinished(() => webSocket.terminate());

  const self = {
    webSocket,
    lines,
    frames,
    state,
    pushes: () => lines.filter((line) => line.push !== undefined).map((line) => line.push as Line),
    /** The data of publications on a channel, pushed in either form. */
    publications: (channel: string) =>
      lines
        .map((line) => (line.push ?? line) as Line)
        .filter((line) => line.channel === channel && line.pub !== undefined)
        .map((line) => (line.pub as Line).data as unknown),
    opened: () =>
      expect.poll(() => webSocket.readyState, { timeout: 5000, interval: 5 }).toBe(WebSocket.OPEN),
    /** Resolves with the close code and reason. */
    async end(timeout = 5000): Promise<{ code: number; reason: string }> {
      await expect.poll(() => state.closed, { timeout, interval: 5 }).toBeDefined();
      return state.closed!;
    },
    async refused() {
      await expect.poll(() => state.refused, { timeout: 5000, interval: 5 }).toBeDefined();
      return state.refused!;
    },
    write: (...texts: string[]) => webSocket.send(texts.join('\n')),
    /** Sends a command without waiting; returns its id. */
    send(command: Line): number {
      const id = nextId;
      nextId += 1;
      webSocket.send(JSON.stringify({ id, ...command }));
      return id;
    },
    async reply(id: number, timeout = 5000): Promise<Line> {
      const found = () => lines.find((line) => line.id === id);
      await expect
        .poll(found, {
          timeout,
          interval: 5,
          message: `a reply to ${id}; closed: ${JSON.stringify(state.closed)}`,
        })
        .toBeDefined();
      return found()!;
    },
    /** Sends a command; resolves with its reply. */
    ask: (command: Line, timeout?: number): Promise<Line> =>
      self.reply(self.send(command), timeout),
    async connect(connect: Line = {}): Promise<Line> {
      await self.opened();
      return self.ask({ connect });
    },
  };
  return self;
}

export type Plain = ReturnType<typeof plain>;

/** As `plain`, and sends the connect command. */
export async function connected(...given: Parameters<typeof plain>): Promise<Plain> {
  const client = plain(...given);
  await client.connect();
  return client;
}
