import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { ask, codeOf, post } from './ingest-service.ts';

export interface Failure {
  /** Method and path. */
  request: string;
  /** Status, or the error's code. */
  outcome: string;
  /** `performance.now()` when it was sent. */
  at: number;
}

const everyMs = 8;

/**
 * Sends a request every 8 ms, in turns: two GETs and two events, one of each on connections that
 * are kept alive.
 */
export function startSteadyClient(port: number) {
  const kept = new Agent({ keepAlive: true, maxSockets: 8 });
  const failures: Failure[] = [];
  const answered = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let count = 0;

  async function send(
    request: string,
    id: string | undefined,
    agent: Agent | false,
  ): Promise<void> {
    const at = performance.now();
    const path = request.split(' ')[1] ?? '';
    const sent =
      id === undefined
        ? ask(port, path, { agent })
        : post(port, path, { event: 'pageview', url: '/', site_id: 'site', id }, { agent });
    const outcome = await sent.then(({ status }) => String(status), codeOf);
    if (outcome !== '200') failures.push({ request, outcome, at });
    else if (id !== undefined) answered.add(id);
  }

  const turns = [
    () => send('GET /api/health', undefined, false),
    () => send('POST /analytics/track', randomUUID(), kept),
    () => send('GET /api/status', undefined, kept),
    () => send('POST /analytics/track', randomUUID(), false),
  ];

  const timer = setInterval(() => {
    const turn = turns[(count += 1) % turns.length]?.();
    if (turn === undefined) return;
    underWay.add(turn);
    void turn.finally(() => underWay.delete(turn));
  }, everyMs);

  return {
    failures,
    /** Ids of events that were answered 200. */
    answered,
    sent: (): number => count,
    /** Sends no more, and resolves when everything is answered. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all(underWay);
      kept.destroy();
    },
  };
}
