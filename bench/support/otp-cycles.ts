import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './report.ts';

export interface Reply {
  status: number;
  body: string;
}

/** How to request a code from a server, read it, and submit it. */
export interface OtpServer {
  send: (to: string) => Promise<Reply>;
  /** The newest code; undefined while there is no new one. */
  code: (to: string) => Promise<string | undefined>;
  verify: (to: string, code: string) => Promise<Reply>;
}

export interface CyclesResult {
  perSecond: number;
  cycles: number;
  failed: number;
  firstFailure: string | undefined;
  /** ms for a whole cycle. */
  p50: number;
}

/** Creates a client that sends JSON over keep-alive connections. */
export function createClient(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    call: (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Reply> =>
      new Promise((resolve, reject) => {
        const data = body === undefined ? undefined : JSON.stringify(body);
        const headers = {
          origin: `http://127.0.0.1:${port}`,
          ...(data === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) }),
        };
        const sent = request(
          { agent, host: '127.0.0.1', port, method, path, headers },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
          },
        );
        sent.on('error', reject);
        sent.end(data);
      }),
    close: () => agent.destroy(),
  };
}

async function waitForCode(server: OtpServer, to: string): Promise<string> {
  for (const limit = performance.now() + 5000; performance.now() < limit;) {
    const code = await server.code(to);
    if (code !== undefined) return code;
    await delay(2);
  }
  throw new Error('no code came within five seconds');
}

/** One sign-in: requests a code, reads it, submits it. Returns its ms, or a failure message. */
async function cycle(server: OtpServer, to: string): Promise<number | string> {
  const began = performance.now();
  const sent = await server.send(to);
  if (sent.status !== 200) return `${sent.status} ${sent.body.slice(0, 200)}`;
  const verified = await server.verify(to, await waitForCode(server, to));
  return verified.status === 200
    ? performance.now() - began
    : `${verified.status} ${verified.body.slice(0, 200)}`;
}

/**
 * Signs in repeatedly for `seconds`, `workers` at a time. `addressOf` returns the email address
 * for a worker's n-th cycle.
 */
export async function runCycles(
  server: OtpServer,
  {
    workers,
    seconds,
    addressOf,
  }: { workers: number; seconds: number; addressOf: (worker: number, index: number) => string },
): Promise<CyclesResult> {
  const times: number[] = [];
  const failures: string[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let index = 0; performance.now() - began < seconds * 1000; index += 1) {
        const result = await cycle(server, addressOf(worker, index));
        if (typeof result === 'number') times.push(result);
        else failures.push(result);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1000;
  return {
    perSecond: times.length / elapsed,
    cycles: times.length,
    failed: failures.length,
    firstFailure: failures[0],
    p50: median(times),
  };
}
