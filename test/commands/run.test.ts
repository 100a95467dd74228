import { describe, expect, test } from 'vitest';
import { type Batch, makeBatches } from '../../src/commands/import/batches.ts';
import type { SourceRow } from '../../src/commands/import/event.ts';
import { sendAll } from '../../src/commands/import/run.ts';
import { createSender } from '../../src/commands/import/send.ts';
import { createTally } from '../../src/commands/import/tally.ts';
import type { Client } from '../../src/commands/service/client.ts';
import { TransientError } from '../../src/commands/service/retry.ts';

const never = new AbortController().signal;
const silent = { mistake: () => undefined, skipped: () => undefined };
const eventRow = (line: number): SourceRow => ({
  line,
  mapped: {
    event: { event: 'a', url: '/', site_id: 's', id: String(line), timestamp: 1, visitor_id: '1' },
  },
});

async function* rows(count: number, failAt = Infinity): AsyncGenerator<SourceRow> {
  for (let line = 1; line <= count; line += 1) {
    if (line === failAt) throw new Error('the file ends in the middle');
    yield line % 10 === 5 ? { line, mapped: { mistake: 'bad' } } : eventRow(line);
  }
}

async function collectBatches(
  source: AsyncIterable<SourceRow>,
  limits: { events: number; bytes: number },
): Promise<Batch[]> {
  const all: Batch[] = [];
  for await (const batch of makeBatches(source, silent, limits)) all.push(batch);
  return all;
}

const limits = { events: 20, bytes: 1e6 };

describe('batches', () => {
  test('start with one event, then fill to the limit, and lose none', async () => {
    const batches = await collectBatches(rows(100), limits);
    expect(batches.map(({ events }) => events.length)).toEqual([1, 20, 20, 20, 20, 9]);
    expect(batches.flatMap(({ lines }) => lines)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1).filter((line) => line % 10 !== 5),
    );
  });

  test('stay below the byte limit', async () => {
    const batches = await collectBatches(rows(100), { events: 1000, bytes: 400 });
    expect(batches.every(({ events }) => events.join(',').length <= 400)).toBe(true);
    expect(batches.flatMap(({ lines }) => lines)).toHaveLength(90);
  });

  test('include the rows read before the file failed', async () => {
    const seen: number[] = [];
    const collect = async () => {
      for await (const { lines } of makeBatches(rows(100, 50), silent, limits)) seen.push(...lines);
    };
    await expect(collect()).rejects.toThrow('ends in the middle');
    expect(Math.max(...seen)).toBe(49);
  });
});

describe('sending', () => {
  const batches = () => makeBatches(rows(200), silent, { events: 10, bytes: 1e6 });

  test('runs four batches at a time, the first alone', async () => {
    let inFlight = 0;
    const concurrency: number[] = [];
    const outcome = await sendAll(
      batches(),
      async () => {
        concurrency.push(++inFlight);
        await new Promise(setImmediate);
        inFlight -= 1;
      },
      never,
    );
    expect(outcome).toEqual({ resumeFrom: undefined, error: undefined });
    expect(Math.max(...concurrency)).toBe(4);
    expect(concurrency.slice(0, 2)).toEqual([1, 1]);
  });

  test('stops when a batch fails for good, with the first line not stored', async () => {
    let sent = 0;
    const outcome = await sendAll(
      batches(),
      async ({ lines }) => {
        sent += 1;
        if (lines.includes(64)) throw new Error('refused');
      },
      never,
    );
    expect(outcome.error?.message).toBe('refused');
    expect(outcome.resumeFrom).toBeLessThanOrEqual(64);
    expect(outcome.resumeFrom).toBeGreaterThan(50);
    expect(sent).toBeLessThan(15);
  });

  test('stops on abort, with the line to resume from', async () => {
    const controller = new AbortController();
    const stored: number[] = [];
    const outcome = await sendAll(
      batches(),
      async ({ lines }) => {
        stored.push(...lines);
        if (stored.length > 60) controller.abort();
      },
      controller.signal,
    );
    expect(outcome.error).toBeUndefined();
    expect(Math.max(...stored)).toBe((outcome.resumeFrom ?? 0) - 1);
  });
});

describe('answers', () => {
  const none = { accepted: 0, duplicates: 0, rejected: [], dropped: [] };
  const senderOf = (answers: (object | Error)[]) => {
    const tally = createTally();
    const bodies: string[] = [];
    const json = async (_path: string, body: string) => {
      bodies.push(body);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { ...none, ...answer };
    };
    const client: Client = {
      json,
      get: () => Promise.reject(new Error('unused')),
      stream: () => Promise.reject(new Error('unused')),
      close: () => undefined,
    };
    const sender = createSender({ client, tally, stop: never, onWait: () => undefined });
    return { tally, bodies, sender };
  };
  const batch: Batch = { events: ['{"a":1}', '{"a":2}'], lines: [7, 9] };

  test('are counted, with the line numbers of rejected events', async () => {
    const { sender, tally, bodies } = senderOf([
      {
        accepted: 1,
        rejected: [{ index: 1, message: 'too old', field: 'timestamp' }],
        dropped: [{ index: 0, reason: 'prop_too_long', field: 'props.a' }],
      },
    ]);
    await sender.send(batch);
    expect(bodies).toEqual(['{"events":[{"a":1},{"a":2}]}']);
    expect(tally.counts).toMatchObject({ accepted: 1, rejected: 1, duplicates: 0 });
    expect(tally.examples()).toEqual([{ line: 9, reason: 'timestamp: too old' }]);
    expect([...tally.omissions]).toEqual([['prop_too_long (props.a)', 1]]);
  });

  test('to a retried request count its duplicates as repeated', async () => {
    const { sender, tally } = senderOf([new TransientError('lost', 0), { duplicates: 2 }]);
    await sender.send(batch);
    expect(tally.counts).toMatchObject({ accepted: 0, duplicates: 2, repeated: 2 });
  });

  test('that reveal a key without write access abort the import', async () => {
    const { sender } = senderOf([
      { accepted: 1, dropped: [{ index: 0, reason: 'needs_api_key', field: 'visitor_id' }] },
    ]);
    await expect(sender.send(batch)).rejects.toThrow('lacks the scope analytics:write');
  });
});

test('the tally shows the first twenty rejected lines, whatever their number and order', () => {
  const tally = createTally();
  for (let line = 1000; line > 0; line -= 1) tally.reject(line, 'bad');
  expect(tally.counts.rejected).toBe(1000);
  expect(tally.examples().map(({ line }) => line)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
});
