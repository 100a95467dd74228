import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Client } from '../service/client.ts';
import { formatNumber } from '../../platform/i18n/numbers.ts';

const Pending = z.object({ accepted_events: z.number(), pending_events: z.number().nullable() });

const path = 'analytics/pending';
const intervalMs = 500;
const requestTimeoutMs = 10_000;
/** Polls before a message is printed: a short wait needs none. */
const noteAfterPolls = 4;

export interface FiguresDeps {
  client: Pick<Client, 'get'>;
  /** Ends the wait when aborted. */
  stop: AbortSignal;
  say: (line: string) => void;
  /** Maximum wait in ms. */
  limitMs?: number;
}

/** Waits until the figures include all sent events. */
export async function awaitFigures({
  client,
  stop,
  say,
  limitMs = 10 * 60_000,
}: FiguresDeps): Promise<void> {
  const poll = async () => Pending.parse(await client.get(path, requestTimeoutMs));
  try {
    const { accepted_events: upTo } = await poll();
    const deadline = Date.now() + limitMs;
    for (let polls = 0; ; polls += 1) {
      const { accepted_events: accepted, pending_events: pending } = await poll();
      // Other clients keep sending: events that arrived after the import are not waited for.
      if (pending === 0 || (pending !== null && accepted - pending >= upTo)) break;
      const pendingText = pending === null ? 'Events' : `${formatNumber(pending)} events`;
      if (stop.aborted || Date.now() > deadline) {
        say(`${pendingText} are stored, but not yet included in the figures.`);
        return;
      }
      if (polls === noteAfterPolls)
        say(`${pendingText} are stored, but not yet included in the figures; waiting …`);
      await delay(intervalMs, undefined, { signal: stop }).catch(() => undefined);
    }
    say('The figures include all events.');
  } catch {
    // An older service, or one that has just stopped: the events are stored anyway.
    say('The events are stored. Could not check whether the figures include them yet.');
  }
}
