import { decode, encode } from '@jridgewell/sourcemap-codec';
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';

/**
 * Removes the positions inside packages from a source map. They are nine tenths of a map, all of
 * which Node reads at each start, and help nobody who reads one of our stack traces. The first
 * position of each run stays: without it, a trace would show a package's code as the last line of
 * ours before it.
 */
function withoutPackages(text) {
  const map = JSON.parse(text);
  const isPackage = map.sources.map((source) => source.includes('node_modules/'));
  let current = -1;
  const shorten = ([column, source, ...position]) => {
    if (source === undefined || !isPackage[source]) {
      current = -1;
      return [[column, ...(source === undefined ? [] : [source, ...position])]];
    }
    if (current === source) return [];
    current = source;
    return [[column, source, 0, 0]];
  };
  return JSON.stringify({
    ...map,
    mappings: encode(decode(map.mappings).map((line) => line.flatMap(shorten))),
  });
}

/** An esbuild plugin that shrinks each source map right after the build. */
export const smallMaps = {
  name: 'small-maps',
  setup({ onEnd }) {
    onEnd(({ metafile }) => {
      const maps = Object.keys(metafile?.outputs ?? {}).filter((file) => file.endsWith('.map'));
      for (const file of maps)
        writeFileSync(inRoot(file), withoutPackages(readFileSync(inRoot(file), 'utf8')));
    });
  },
};
