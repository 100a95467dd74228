import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { isZipCountry } from './postal-codes.ts';

export interface Place {
  city: string;
  /** The postal abbreviation in the US, the name in Canada. */
  region: string;
  /** Degrees north; null where unknown. */
  latitude: number | null;
  /** Degrees east. */
  longitude: number | null;
}

/** The list has only the first three characters of Canadian codes. */
const areaLength = 3;

// Loading the package takes 0.2 s, and 80 MB for 44,000 objects. So a worker loads it, sends back a
// string of 1.6 MB, and exits.
const source = `const { parentPort, workerData } = require('node:worker_threads');
const lines = Object.entries(require(workerData).codes).map(
  ([code, { city, state, latitude, longitude }]) =>
    [code, city, state, latitude, longitude].join('\\t'),
);
parentPort.postMessage('\\n' + lines.sort().join('\\n') + '\\n');`;

function readList(): Promise<string> {
  const worker = new Worker(source, {
    eval: true,
    workerData: createRequire(import.meta.url).resolve('zipcodes'),
    env: {},
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    worker.once('message', (list: string) => resolve(list));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the list of postal codes was not read')));
  });
}

/** Binary search for the line that begins with this code and a tab. */
function findLine(list: string, wanted: string): string | undefined {
  let [from, to] = [0, list.length - 1];
  while (from < to) {
    const start = list.lastIndexOf('\n', (from + to) >> 1) + 1;
    const end = list.indexOf('\n', start);
    const line = list.slice(start, end);
    const code = line.slice(0, line.indexOf('\t'));
    if (code === wanted) return line;
    if (code < wanted) from = end;
    else to = start - 1;
  }
  return undefined;
}

const numberOrNull = (text = ''): number | null =>
  text !== '' && Number.isFinite(Number(text)) ? Number(text) : null;

function placeOf(line: string): Place {
  const [, city = '', region = '', latitude, longitude] = line.split('\t');
  return { city, region, latitude: numberOrNull(latitude), longitude: numberOrNull(longitude) };
}

/**
 * The existing postal codes of the US, its territories and Canada (first three characters only),
 * and their places. Loaded at first use, in a worker, which takes about 0.3 s.
 */
export function createPlaces() {
  let reading: Promise<string> | undefined;

  function list(): Promise<string> {
    reading ??= readList().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  }

  return {
    /** The place of a code's key. Null: the code does not exist. Undefined: unknown country. */
    async find(country: string, key: string): Promise<Place | null | undefined> {
      if (country !== 'CA' && !isZipCountry(country)) return undefined;
      const line = findLine(await list(), country === 'CA' ? key.slice(0, areaLength) : key);
      return line === undefined ? null : placeOf(line);
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
