import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A visitor of a page, as a process of its own so that nothing else delays its measurements.
 * Arguments: port, path, local address, requests per second. Prints the port of its control server:
 * `GET /?seconds=2` requests the page for two seconds and answers with the figures (`Visit`). Its
 * connections stay open between visits.
 */
export interface Visit {
  /** Requests sent, and how many of them were answered 200. */
  sent: number;
  answered: number;
  /** Milliseconds until the whole answer had arrived. */
  p50: number;
  p95: number;
  worst: number;
  /**
   * This process' own event loop delay in milliseconds, 95th percentile: the machine's share of
   * the figures above.
   */
  lateP95: number;
}

const [port = '', path = '/', localAddress = '127.0.0.1', rate = '50'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

// A real visitor has its own machine: the attacker must not slow this process down. Needs root.
try {
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {
  process.stderr.write(
    'the visitor competes for the processor: not permitted to raise its priority\n',
  );
}

async function visitOnce(): Promise<[milliseconds: number, status: number]> {
  const began = performance.now();
  const status = await new Promise<number>((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, path, localAddress, agent, timeout: 20_000 },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', () => resolve(0));
    sent.end();
  });
  return [performance.now() - began, status];
}

async function visitFor(seconds: number): Promise<Visit> {
  const loopDelay = monitorEventLoopDelay({ resolution: 1 });
  loopDelay.enable();
  const total = Number(rate) * seconds;
  const start = performance.now();
  const visits: Promise<[number, number]>[] = [];
  for (let at = 0; at < total; at++) {
    await delay(Math.max(0, start + (at * 1000) / Number(rate) - performance.now()));
    visits.push(visitOnce());
  }
  const results = await Promise.all(visits);
  loopDelay.disable();
  const sorted = results.map(([milliseconds]) => milliseconds).toSorted((a, b) => a - b);
  const percentile = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  const answered = results.filter(([, status]) => status === 200).length;
  return {
    sent: total,
    answered,
    p50: percentile(0.5),
    p95: percentile(0.95),
    worst: sorted.at(-1) ?? 0,
    lateP95: loopDelay.percentile(95) / 1e6,
  };
}

const control = createServer((incoming, answer) => {
  const seconds = Number(
    new URL(incoming.url ?? '/', 'http://visitor').searchParams.get('seconds'),
  );
  void visitFor(seconds).then((figures) => answer.end(JSON.stringify(figures)));
});
control.listen(0, '127.0.0.1');
await once(control, 'listening');
process.stdout.write(`${(control.address() as AddressInfo).port}\n`);
