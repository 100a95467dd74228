import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { subscribeCommands } from './hubs.ts';
import { openRaw, type RawSocket } from './raw-socket.ts';

const publicationSchema = z.object({ offset: z.number(), data: z.json() });
const lineSchema = z.object({
  id: z.number().optional(),
  error: z.json().optional(),
  subscribe: z
    .object({
      epoch: z.string(),
      offset: z.number(),
      recovered: z.boolean().optional(),
      publications: z.array(publicationSchema).default([]),
    })
    .optional(),
  push: z.object({ pub: publicationSchema.optional() }).optional(),
});

export interface ReturningClient {
  /** `performance.now()` of the last subscription that was complete. */
  recoveredAt: () => number;
  /** Breaks the connection; the client reconnects. */
  drop: () => void;
  /** Disconnects for good. */
  stop: () => void;
  figures: ClientFigures;
}

export interface ClientFigures {
  received: number;
  attempts: number;
  /** Resubscriptions with `recovered: true`, and without. */
  recovered: number;
  lost: number;
  /** Messages whose offset does not follow the last one. */
  gaps: number;
  doubles: number;
}

const backOffMs = { min: 500, max: 20_000 };

/** Returns the official client's pause before an attempt: full jitter, in ms. */
const pause = (attempt: number): number =>
  Math.min(
    backOffMs.max,
    backOffMs.min + Math.random() * Math.min(backOffMs.max, backOffMs.min * 2 ** attempt),
  );

/**
 * Creates a client of the channel `test` that reconnects whenever it is dropped, as the official
 * one does, and counts its messages.
 */
export function createReturningClient(port: number): ReturningClient {
  const figures: ClientFigures = {
    received: 0,
    attempts: 0,
    recovered: 0,
    lost: 0,
    gaps: 0,
    doubles: 0,
  };
  let position: { epoch: string; offset: number } | undefined;
  let socket: RawSocket | undefined;
  let recoveredAt = 0;
  let isStopped = false;
  let attempt = 0;

  function receive({ offset }: { offset: number }): void {
    if (position === undefined) return;
    if (offset <= position.offset) figures.doubles += 1;
    else {
      if (offset !== position.offset + 1) figures.gaps += 1;
      position.offset = offset;
      figures.received += 1;
    }
  }

  function subscribed({
    epoch,
    offset,
    recovered,
    publications,
  }: NonNullable<z.output<typeof lineSchema>['subscribe']>): void {
    if (position === undefined) position = { epoch, offset };
    else if (recovered === true) {
      figures.recovered += 1;
      publications.forEach(receive);
      if (position.offset !== offset) figures.gaps += 1;
    } else {
      figures.lost += 1;
      position = { epoch, offset };
    }
    attempt = 0;
    recoveredAt = performance.now();
  }

  function onMessage(payload: Buffer): void {
    for (const line of payload.toString().split('\n')) {
      const { error, subscribe, push } = lineSchema.parse(JSON.parse(line));
      if (error !== undefined) socket?.destroy();
      else if (subscribe !== undefined) subscribed(subscribe);
      else if (push?.pub !== undefined) receive(push.pub);
    }
  }

  async function reconnect(): Promise<void> {
    if (isStopped) return;
    await delay(pause(attempt));
    await open();
  }

  async function open(): Promise<void> {
    if (isStopped) return;
    attempt += 1;
    figures.attempts += 1;
    try {
      socket = await openRaw({
        port,
        path: '/ws/svc/',
        onMessage,
        onClose: () => void reconnect(),
      });
      socket.send(subscribeCommands(position));
    } catch {
      await reconnect();
    }
  }

  void open();
  return {
    recoveredAt: () => recoveredAt,
    drop: () => socket?.destroy(),
    stop: () => {
      isStopped = true;
      socket?.destroy();
    },
    figures,
  };
}
