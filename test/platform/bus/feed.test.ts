import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFeed, type Recovery } from '../../../src/platform/bus/feed.ts';
import type { ReceivedMessage, ChannelState } from '../../../src/platform/bus/streams.ts';
import type { Position, Publication } from '../../../src/platform/bus/types.ts';
import { rounds } from '../../support/rounds.ts';

const message = (
  offset: number,
  { previous = offset - 1, epoch = 'e1', json = `m${offset}` }: Partial<ReceivedMessage> = {},
): ReceivedMessage => ({ kind: 'pub', epoch, offset, previous, json });

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A feed over a channel that the test controls, with the messages that its listener receives. */
function feedOver(channel: ChannelState, size = 10) {
  const store = { channel, isAway: false };
  const heard: string[] = [];
  const feed = createFeed({
    size,
    read: async () => {
      if (store.isAway) throw new Error('away');
      return structuredClone(store.channel);
    },
    onGap: () => void feed.sync().catch(() => undefined),
  });
  feed.add({ onPublication: ({ json }) => heard.push(json), onLost: () => heard.push('lost') });
  return { feed, heard, store };
}

/** A feed that has read a channel with one message. */
async function liveFeed() {
  const opened = feedOver({ epoch: 'e1', offset: 1, entries: [message(1)] });
  await opened.feed.sync();
  return opened;
}

describe('a feed', () => {
  test('delivers no earlier messages and all later ones', async () => {
    const { feed, heard } = feedOver({ epoch: 'e1', offset: 2, entries: [message(1), message(2)] });
    await feed.sync();
    [message(3), message(4)].forEach(feed.receive);
    expect(heard).toEqual(['m3', 'm4']);
    expect(feed.position()).toEqual({ epoch: 'e1', offset: 4 });
  });

  test('delivers a message once, even if it arrives several times', async () => {
    const { feed, heard } = await liveFeed();
    [message(1), message(2), message(2), message(1)].forEach(feed.receive);
    expect(heard).toEqual(['m2']);
    expect(feed.isLive()).toBe(true);
  });

  test('fills a gap before it delivers later messages', async () => {
    const { feed, heard, store } = await liveFeed();
    store.channel = { epoch: 'e1', offset: 3, entries: [message(1), message(2), message(3)] };
    feed.receive(message(3));
    expect(heard).toEqual([]);
    await settled();
    expect(heard).toEqual(['m2', 'm3']);
  });

  test('reports a loss when a gap exceeds the history', async () => {
    const { feed, heard, store } = await liveFeed();
    store.channel = { epoch: 'e1', offset: 9, entries: [message(8), message(9)] };
    feed.receive(message(9));
    await settled();
    expect(heard).toEqual(['lost']);
    expect(feed.position()).toEqual({ epoch: 'e1', offset: 9 });
    feed.receive(message(10));
    expect(heard).toEqual(['lost', 'm10']);
  });

  test('reports a loss when the channel has a new epoch, even with the same offset', async () => {
    const { feed, heard, store } = await liveFeed();
    store.channel = { epoch: 'e2', offset: 1, entries: [message(1, { epoch: 'e2' })] };
    feed.interrupt();
    await feed.sync();
    expect(heard).toEqual(['lost']);
  });

  test('is not live and rejects while its channel is unreadable, and queues messages', async () => {
    const { feed, heard, store } = await liveFeed();
    feed.interrupt();
    store.isAway = true;
    await expect(feed.sync()).rejects.toThrow('away');
    expect(feed.isLive()).toBe(false);
    feed.receive(message(2));
    expect(heard).toEqual([]);
    store.isAway = false;
    store.channel = { epoch: 'e1', offset: 2, entries: [message(1), message(2)] };
    await feed.sync();
    expect(heard).toEqual(['m2']);
  });

  test('discards a state that was read before an interruption', async () => {
    const { feed } = feedOver({ epoch: 'e1', offset: 1, entries: [message(1)] });
    const reading = feed.sync();
    feed.interrupt();
    await expect(reading).rejects.toThrow(/interrupted/);
    expect(feed.isLive()).toBe(false);
    await feed.sync();
    expect(feed.isLive()).toBe(true);
  });

  test('delivers messages without history, and keeps its position', async () => {
    const { feed, heard } = await liveFeed();
    feed.receive({ kind: 'join', epoch: '-', offset: 0, previous: 0, json: 'who' });
    expect(heard).toEqual(['who']);
    expect(feed.position().offset).toBe(1);
    expect(feed.entries()).toHaveLength(1);
  });
});

describe('recovery', () => {
  const entries = [message(3), message(4), message(5)];
  const channel: ChannelState = { epoch: 'e1', offset: 5, entries };
  const recovered = (since: Position): Promise<Recovery> => {
    const { feed } = feedOver(channel);
    return feed.sync().then(() => feed.recover(since));
  };

  test.each([
    ['from what is kept', 3, ['m4', 'm5']],
    ['from just before what is kept', 2, ['m3', 'm4', 'm5']],
    ['from the newest', 5, []],
  ])('%s returns all missed messages', async (_name, offset, jsons) => {
    expect(await recovered({ epoch: 'e1', offset })).toMatchObject({
      recovered: true,
      offset: 5,
      epoch: 'e1',
      publications: jsons.map((json) => ({ json })),
    });
  });

  test.each([
    ['from before what is kept', { epoch: 'e1', offset: 1 }],
    ['from the beginning', { epoch: 'e1', offset: 0 }],
    ['from what was never told', { epoch: 'e1', offset: 6 }],
    ['with another epoch', { epoch: 'e0', offset: 4 }],
    ['with no epoch', { epoch: '', offset: 4 }],
    ['with another epoch and the newest offset', { epoch: 'e0', offset: 5 }],
  ])('%s returns nothing and recovered: false', async (_name, since) => {
    const nothing = { recovered: false, offset: 5, epoch: 'e1', publications: [] };
    expect(await recovered(since)).toEqual(nothing);
  });

  test('needs no more messages in memory than the history has', async () => {
    const { feed } = feedOver({ epoch: 'e1', offset: 0, entries: [] }, 3);
    await feed.sync();
    for (let offset = 1; offset <= 50; offset += 1) feed.receive(message(offset));
    expect(feed.entries().map(({ offset }) => offset)).toEqual([48, 49, 50]);
    expect(feed.recover({ epoch: 'e1', offset: 46 }).recovered).toBe(false);
    expect(feed.recover({ epoch: 'e1', offset: 47 }).publications).toHaveLength(3);
  });
});

/**
 * A minimal model of a Redis that can lose data. The text of a message is `epoch/number` and
 * unique.
 */
function createModel(size: number) {
  const leap = 1000;
  let channel: ChannelState = { epoch: 'e0', offset: 0, entries: [] };
  let epochs = 0;
  let published = 0;
  let highest = 0;
  let leaps = false;
  const saved: ChannelState[] = [structuredClone(channel)];
  /** The previous offset and the offset of each message. */
  const before = new Map<string, string>();
  const at = new Map<string, string>();
  const key = ({ epoch, offset }: Position) => `${epoch}:${offset}`;
  at.set(key(channel), 'start of e0');

  return {
    state: () => structuredClone(channel),
    nameAt: (position: Position) => at.get(key(position)) ?? 'nothing',
    positions: () =>
      [...at.keys()].map((each): Position => ({
        epoch: each.split(':')[0]!,
        offset: Number(each.split(':')[1]),
      })),
    before,
    publish(): ReceivedMessage {
      // No offset is assigned twice: that is why offsets skip ahead. The highest offset counts
      // across all epochs, because Redis can return with an earlier epoch. The real step is large
      // and random.
      const offset = leaps ? highest + leap : channel.offset + 1;
      highest = Math.max(highest, offset);
      leaps = false;
      published += 1;
      const json = `n${published}`;
      before.set(json, at.get(key(channel))!);
      const entry: Publication = { kind: 'pub', json, offset, previous: channel.offset };
      channel = { ...channel, offset, entries: [...channel.entries, entry].slice(-size) };
      at.set(key(channel), json);
      return { ...entry, epoch: channel.epoch };
    },
    save: () => void saved.push(structuredClone(channel)),
    rollBack(which: number): void {
      channel = structuredClone(saved[which % saved.length]!);
      leaps = true;
    },
    empty(): void {
      epochs += 1;
      channel = { epoch: `e${epochs}`, offset: 0, entries: [] };
      leaps = false;
      at.set(key(channel), `start of e${epochs}`);
    },
    trim: () => {
      channel = { ...channel, entries: [] };
    },
  };
}

const step = <const Name extends string>(weight: number, ...names: Name[]) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...names), which: fc.nat(5) }),
});
const steps = fc.array(
  fc.oneof(
    step(6, 'publish'),
    step(6, 'deliver'),
    step(6, 'snapshot', 'answer', 'interrupt', 'sync'),
    step(2, 'lose', 'breakOff', 'fail'),
    step(1, 'repeat', 'save', 'rollBack', 'empty', 'expire', 'trim'),
  ),
  { maxLength: 60, size: 'max' },
);

interface Reading {
  snapshot: ChannelState | undefined;
  resolve: (state: ChannelState) => void;
  reject: (error: Error) => void;
}

describe('under any failures of Redis and of the connection', () => {
  test('a listener receives exactly the published messages or is told of a loss', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 6 }), async (sequence, size) => {
        const model = createModel(size);
        const wire: ReceivedMessage[] = [];
        const delivered: ReceivedMessage[] = [];
        let reading: Reading | undefined;
        let position = 'unknown';
        const faults: string[] = [];

        const feed = createFeed({
          size,
          read: () =>
            new Promise((resolve, reject) => {
              reading = { snapshot: undefined, resolve, reject };
            }),
          onGap: () => void feed.sync().catch(() => undefined),
        });
        feed.add({
          onPublication({ json }) {
            if (model.before.get(json) !== position) faults.push(`${json} after ${position}`);
            position = json;
          },
          onLost() {
            position = model.nameAt(feed.position());
          },
        });
        const takeReading = () => {
          const taken = reading;
          reading = undefined;
          return taken;
        };
        const answer = () => {
          const now = takeReading();
          now?.resolve(now.snapshot ?? model.state());
        };
        /** Both connections are lost, and so are messages in transit. */
        const breakOff = () => {
          wire.length = 0;
          feed.interrupt();
          takeReading()?.reject(new Error('broken off'));
        };
        async function level(): Promise<void> {
          for (let turn = 0; turn < 20; turn += 1) {
            if (!feed.isLive()) void feed.sync().catch(() => undefined);
            answer();
            await settled();
            wire.splice(0).forEach(feed.receive);
            if (feed.isLive() && wire.length === 0 && reading === undefined) return;
          }
          faults.push('never level');
        }

        const first = feed.sync();
        answer();
        await first;
        position = model.nameAt(feed.position());

        const actions = {
          publish: () => void wire.push(model.publish()),
          deliver() {
            const next = wire.shift();
            if (next !== undefined) {
              delivered.push(next);
              feed.receive(next);
            }
          },
          answer,
          snapshot: () => {
            if (reading !== undefined) reading.snapshot = model.state();
          },
          lose: () => void wire.shift(),
          /**
           * Only the subscriber's connection is lost, and back at once. A pending read continues.
           */
          interrupt() {
            wire.length = 0;
            feed.interrupt();
            void feed.sync().catch(() => undefined);
          },
          breakOff,
          sync: () => {
            if (!feed.isLive()) void feed.sync().catch(() => undefined);
          },
          fail: () => takeReading()?.reject(new Error('timed out')),
          repeat: (which: number) => {
            if (delivered.length > 0) feed.receive(delivered[which % delivered.length]!);
          },
          save: () => model.save(),
          rollBack(which: number) {
            breakOff();
            model.rollBack(which);
          },
          empty() {
            breakOff();
            model.empty();
          },
          // The channel was unused for so long that Redis has expired it. The connection stays
          // open.
          expire: () => model.empty(),
          trim: () => model.trim(),
        };
        for (const step of sequence) {
          actions[step.do](step.which);
          await settled();
        }
        await level();
        const mayNotKnow =
          sequence.some((step) => step.do === 'lose') ||
          (sequence.some((step) => step.do === 'expire') && model.state().offset === 0);
        if (!mayNotKnow) expect(position).toBe(model.nameAt(model.state()));
        // No later message reveals the loss of the last one.
        feed.interrupt();
        await level();

        expect(faults).toEqual([]);
        const now = model.state();
        expect(position).toBe(model.nameAt(now));
        expect(feed.position()).toMatchObject({ epoch: now.epoch, offset: now.offset });
        for (const since of model.positions()) {
          const { recovered, publications } = feed.recover(since);
          if (!recovered) expect(publications).toEqual([]);
          else {
            let name = model.nameAt(since);
            for (const { json } of publications) {
              expect(model.before.get(json)).toBe(name);
              name = json;
            }
            expect(name).toBe(model.nameAt(now));
          }
        }
      }),
      { numRuns: rounds(400, 1500) },
    );
  });
});
