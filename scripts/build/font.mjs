import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';

const folder = 'node_modules/@fontsource-variable/inter';
const source = inRoot(folder, 'files', 'inter-latin-wght-normal.woff2');

const range = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));

const punctuation = '→←↑↓…–—“”‘’•·×−€©\u00a0';
/** What English is written with. Every page loads it. */
const basic = range(0x20, 0x7e) + punctuation;
/** What German, French, Spanish and Portuguese have besides: loaded where a page has any. */
const more = Array.from(range(0xa1, 0xff))
  .filter((each) => !basic.includes(each))
  .join('');

const options = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['kern', 'ccmp', 'tnum'],
};

/** Returns Inter as WOFF2 with the characters, weights and features that all pages use. */
export const basicFont = () => cutFont(basic);

/** Returns what other pages need besides. font.css says which characters these are. */
export const moreFont = () => cutFont(more);

/** The result is kept in .tmp, because cutting takes seconds. */
async function cutFont(text) {
  const font = readFileSync(source);
  const { version } = JSON.parse(
    readFileSync(inRoot('node_modules', 'subset-font', 'package.json'), 'utf8'),
  );
  const recipe = createHash('sha256')
    .update(font)
    .update(JSON.stringify([text, options, version]))
    .digest('hex');
  const kept = inRoot('.tmp', `inter-${recipe.slice(0, 16)}.woff2`);
  if (existsSync(kept)) return readFileSync(kept);
  const { default: subsetFont } = await import('subset-font');
  const cut = await subsetFont(font, text, options);
  mkdirSync(inRoot('.tmp'), { recursive: true });
  writeFileSync(kept, cut);
  return cut;
}
