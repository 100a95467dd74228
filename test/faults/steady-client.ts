import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { eventOf } from './ingest-kill.ts';
import { ask, codeOf, post } from './ingest-service.ts';

export interface Failure {
  /** Method and path. */
  request: string;
  /** Status, or the error's code. */
  outcome: string;
  /** `performance.now()` when it was sent. */
  at: number;
}

const intervalMs = 8;

/**
 * Sends a request every 8 ms: GETs and events alternate, half of them on keep-alive connections.
 */
export function startSteadyClient(port: number) {
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 8 });
  const failures: Failure[] = [];
  const answered = new Set<string>();
  const inFlight = new Set<Promise<void>>();
  let count = 0;

  async function send(
    request: string,
    id: string | undefined,
    agent: Agent | false,
  ): Promise<void> {
    const at = performance.now();
    const path = request.split(' ')[1] ?? '';
    const sent =
      id === undefined ? ask(port, path, { agent }) : post(port, path, eventOf(id), { agent });
    const outcome = await sent.then(({ status }) => String(status), codeOf);
    if (outcome !== '200') failures.push({ request, outcome, at });
    else if (id !== undefined) answered.add(id);
  }

  const senders = [
    () => send('GET /api/health', undefined, false),
    () => send('POST /analytics/track', randomUUID(), keepAlive),
    () => send('GET /api/status', undefined, keepAlive),
    () => send('POST /analytics/track', randomUUID(), false),
  ];

  const timer = setInterval(() => {
    const sending = senders[(count += 1) % senders.length]?.();
    if (sending === undefined) return;
    inFlight.add(sending);
    void sending.finally(() => inFlight.delete(sending));
  }, intervalMs);

  return {
    failures,
    /** Ids of events that were answered 200. */
    answered,
    sent: (): number => count,
    /** Stops sending, and resolves when every request has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all(inFlight);
      keepAlive.destroy();
    },
  };
}
