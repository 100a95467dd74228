import { createCipheriv, randomBytes } from 'node:crypto';
import { readTap } from '../src/areas/nfc/sdm/read-tap.ts';
import type { MessageSettings } from '../src/areas/nfc/sdm/settings.ts';
import { newSettings } from '../src/areas/nfc/tags/message-settings.ts';
import { runBenchmark } from './support/lifetime.ts';
import { median, printConditions, printTable, verdict, whole } from './support/report.ts';

/**
 * How many secure messages of NTAG 424 tags one thread verifies in a second, beside as many bare
 * AES operations of node:crypto, each with a key of its own where the message needs one.
 */
const goal = 20_000;
const rounds = 5;

/** Keys that a verification sets up, and blocks that it encrypts or decrypts with them. */
interface Work {
  keys: number;
  blocks: number;
}

interface Case {
  name: string;
  settings: MessageSettings;
  query: string;
  work: Work;
  count: number;
  hasGoal: boolean;
}

// Messages that NXP AN12196 and nfc-developer/sdm-backend publish, under the key of zeros.
const cases: readonly Case[] = [
  {
    name: 'AES, no file data',
    settings: newSettings('ntag424', {}),
    query: 'picc_data=EF963FF7828658A599F3041510671E88&cmac=94EED9EE65337086',
    // PICC data; session key: subkey and block; MAC: subkey and block.
    work: { keys: 3, blocks: 5 },
    count: 40_000,
    hasGoal: true,
  },
  {
    name: 'AES, encrypted file data',
    settings: newSettings('ntag424', { file_data: 'encrypted' }),
    query:
      'picc_data=FD91EC264309878BE6345CBE53BADF40&enc=CEE9A53E3E463EF1F459635736738962' +
      '&cmac=ECC1E7F6C6C73BF6',
    // As above with three blocks in the MAC; a second session key; its IV; the data.
    work: { keys: 5, blocks: 10 },
    count: 30_000,
    hasGoal: true,
  },
  {
    name: 'LRP, no file data',
    settings: newSettings('ntag424', { encryption: 'lrp' }),
    query: 'picc_data=1FCBE61B3E4CAD980CBFDD333E7A4AC4A579569BAFD22C5F&cmac=4231608BA7B02BA9',
    // Three keys with 36 steps to their secrets; 18 for PICC data, 33 for each of 4 blocks of CMAC.
    work: { keys: 3 * 19 + 18 + 4 * 33, blocks: 3 * 36 + 18 + 4 * 33 },
    count: 1000,
    hasGoal: false,
  },
];

const zeros = Buffer.alloc(16);

function perSecond(count: number, work: () => void): number {
  const began = performance.now();
  for (let at = 0; at < count; at += 1) work();
  return (count / (performance.now() - began)) * 1000;
}

/** The same number of AES keys and blocks, without anything else. */
function bareAes({ keys, blocks }: Work): () => void {
  const pool = Array.from({ length: keys }, () => randomBytes(16));
  return () => {
    let left = blocks;
    for (const [at, key] of pool.entries()) {
      const cipher = createCipheriv('aes-128-ecb', key, null);
      const own = Math.round(left / (keys - at));
      for (let block = 0; block < own; block += 1) cipher.update(zeros);
      left -= own;
    }
  };
}

await runBenchmark(async () => {
  printConditions('npm run bench -- nfc');
  const keys = { meta: zeros, fileKeyOf: () => zeros };
  const rows = [['message', 'verified', 'goal', 'result', 'limit', 'ratio']];
  let missed = 0;
  for (const { name, settings: given, query, work, count, hasGoal } of cases) {
    const verify = () => {
      if (readTap(given, keys, query).tap === undefined) throw new Error(`${name} is refused`);
    };
    const bare = bareAes(work);
    perSecond(count / 10, verify);
    perSecond(count / 10, bare);
    const verified: number[] = [];
    const limits: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      verified.push(perSecond(count, verify));
      limits.push(perSecond(count, bare));
    }
    const rate = median(verified);
    const limit = median(limits);
    if (hasGoal && rate < goal) missed += 1;
    rows.push([
      name,
      `${whole(rate)} /s`,
      hasGoal ? `≥ ${whole(goal)} /s` : '-',
      hasGoal ? verdict(rate >= goal) : '-',
      `${whole(limit)} /s`,
      `${Math.round((rate / limit) * 100)} %`,
    ]);
  }
  printTable(rows);
  return missed;
});
