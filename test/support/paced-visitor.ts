import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A visitor of a page, as a process of its own so that nothing else delays what it measures.
 * Arguments: port, path, local address, requests a second, seconds. Prints one line of JSON at the end (`Visit`).
 */
export interface Visit {
  /** Requests that were sent, and how many of them were answered 200. */
  sent: number;
  answered: number;
  /** Milliseconds until an answer was whole. */
  p50: number;
  p95: number;
  worst: number;
}

const [port = '', path = '/', localAddress = '127.0.0.1', rate = '50', seconds = '3'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const times: number[] = [];
let answered = 0;

async function visit(): Promise<void> {
  const began = performance.now();
  const status = await new Promise<number>((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, localAddress, agent, timeout: 20_000 }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', () => resolve(0));
    sent.end();
  });
  times.push(performance.now() - began);
  if (status === 200) answered += 1;
}

const total = Number(rate) * Number(seconds);
const start = performance.now();
const visits: Promise<void>[] = [];
for (let at = 0; at < total; at++) {
  await delay(Math.max(0, start + (at * 1000) / Number(rate) - performance.now()));
  visits.push(visit());
}
await Promise.all(visits);
agent.destroy();

const sorted = times.toSorted((a, b) => a - b);
const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
const figures: Visit = { sent: total, answered, p50: share(0.5), p95: share(0.95), worst: sorted.at(-1) ?? 0 };
process.stdout.write(`${JSON.stringify(figures)}\n`);
