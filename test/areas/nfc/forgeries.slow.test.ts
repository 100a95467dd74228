import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { readTap } from '../../../src/areas/nfc/sdm/read-tap.ts';
import { rounds } from '../../support/rounds.ts';
import { encrypted, settings } from './message-settings.ts';
import { tapQuery, type VirtualTag } from './virtual-tag.ts';

const hexValue = /(?<==)[\dA-F]+/g;

/** The query with one bit of one of its values in hex changed, for each bit. */
function* changes(query: string): Generator<string> {
  for (const { 0: value, index } of query.matchAll(hexValue)) {
    const bytes = Buffer.from(value, 'hex');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const text = changed.toString('hex').toUpperCase();
      yield query.slice(0, index) + text + query.slice(index + value.length);
    }
  }
}

function newMessage(at: number) {
  const hasData = at % 3 > 0;
  const isPlain = at % 2 === 0;
  const tag: VirtualTag = {
    uid: `04${randomBytes(6).toString('hex').toUpperCase()}`,
    metaKey: randomBytes(16),
    fileKey: randomBytes(16),
    padding: randomBytes(16),
    isPlain,
    ...(hasData && { data: randomBytes(16).toString('latin1') }),
    macInput: hasData ? 'file_data' : 'nothing',
  };
  const picc = isPlain ? 'plain' : 'encrypted';
  const given = (hasData ? encrypted : settings)({ picc_data: picc });
  const keys = { meta: Buffer.from(tag.metaKey), fileKeyOf: () => Buffer.from(tag.fileKey) };
  const counter = randomInt(0x1000000);
  return { tag, given, keys, counter, query: tapQuery(tag, counter) };
}

const messages = rounds(150, 10_000);

test(`every one-bit change of ${messages} messages is refused`, { timeout: 900_000 }, () => {
  let refused = 0;
  for (let at = 0; at < messages; at += 1) {
    const { tag, given, keys, counter, query } = newMessage(at);
    const { tap } = readTap(given, keys, query);
    if (tap?.uid !== tag.uid || tap.counter !== counter) throw new Error(`not read: ${query}`);
    for (const changed of changes(query)) {
      if (readTap(given, keys, changed).tap !== undefined) throw new Error(`read: ${changed}`);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(messages * 128);
});
