import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';

const position = /(file:[^\s()]+):(\d+):(\d+)/;

/** Reads the source map of a built file; undefined when it has none. */
function readMap(url: string): SourceMap | undefined {
  try {
    const text = readFileSync(fileURLToPath(`${url}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    return undefined;
  }
}

/** A call site of V8. */
interface Frame {
  toString: () => string;
}

/** Formats stack traces like Node, with files and lines of src. */
function createStackFormat() {
  // Decoded, a map takes 50 MB, so it is kept for the errors of a moment only.
  const maps = new LRUCache<string, SourceMap>({ max: 20, ttl: 10_000, ttlAutopurge: true });
  const mapOf = (url: string): SourceMap | undefined => {
    const map = maps.get(url) ?? readMap(url);
    if (map !== undefined) maps.set(url, map);
    return map;
  };
  const original = (whole: string, url: string, line: string, column: string): string => {
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return whole;
    const { originalSource, originalLine, originalColumn } = entry;
    const file = fileURLToPath(new URL(originalSource, url));
    return `${file}:${originalLine + 1}:${originalColumn + 1}`;
  };
  return (error: Error, sites: readonly Frame[]): string =>
    [
      Error.prototype.toString.call(error),
      ...sites.map((site) => `    at ${site.toString().replace(position, original)}`),
    ].join('\n');
}

// Node's own `--enable-source-maps` reads every map at the start; this reads one when an error is
// logged.
Error.prepareStackTrace = createStackFormat();
