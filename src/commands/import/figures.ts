import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Client } from '../service/client.ts';

const Pending = z.object({ accepted_events: z.number(), pending_events: z.number().nullable() });

const path = 'analytics/pending';
const intervalMs = 500;
const answerMs = 10_000;
/** It is not worth a line when it takes a moment only. */
const noteAfterMs = 4;

export interface FiguresDeps {
  client: Pick<Client, 'get'>;
  /** Waits no longer when it is aborted. */
  stop: AbortSignal;
  say: (line: string) => void;
  /** How long to wait at most, in ms. */
  limitMs?: number;
}

const number = (count: number) => count.toLocaleString('en');

/** Waits until what was sent is in the figures: they would show too little before. */
export async function awaitFigures({
  client,
  stop,
  say,
  limitMs = 10 * 60_000,
}: FiguresDeps): Promise<void> {
  const ask = async () => Pending.parse(await client.get(path, answerMs));
  try {
    const { accepted_events: upTo } = await ask();
    const until = Date.now() + limitMs;
    for (let asked = 0; ; asked += 1) {
      const { accepted_events: accepted, pending_events: pending } = await ask();
      // Others go on sending: what came after the import is not waited for.
      if (pending === 0 || (pending !== null && accepted - pending >= upTo)) break;
      const left = pending === null ? 'Events' : `${number(pending)} events`;
      if (stop.aborted || Date.now() > until) {
        say(`${left} are stored, and still on their way into the figures.`);
        return;
      }
      if (asked === noteAfterMs)
        say(`${left} are stored, and on their way into the figures; waiting …`);
      await delay(intervalMs, undefined, { signal: stop }).catch(() => undefined);
    }
    say('The figures have everything.');
  } catch {
    // An older service, or one that has just gone away: the events are stored all the same.
    say('The events are stored; whether the figures have them already could not be asked.');
  }
}
