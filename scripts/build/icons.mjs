import { readFileSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';

/** The drawing of an icon: what is inside of its `svg` element, on one line. */
function shapesOf(lucideName) {
  const file = inRoot('node_modules', 'lucide-static', 'icons', `${lucideName}.svg`);
  const [, shapes = ''] = /<svg[^>]*>(.*)<\/svg>/s.exec(readFileSync(file, 'utf8')) ?? [];
  return shapes.replace(/\s*\n\s*/g, '').replaceAll(' />', '/>');
}

/**
 * Returns one SVG with a symbol for each icon of src/platform/ui/icons.json. The symbols have no
 * colour or line width of their own: they inherit those of the page's `.icon`.
 */
export function iconSprite() {
  const names = JSON.parse(readFileSync(inRoot('src', 'platform', 'ui', 'icons.json'), 'utf8'));
  const symbols = Object.entries(names).map(
    ([name, lucideName]) =>
      `<symbol id="${name}" viewBox="0 0 24 24">${shapesOf(lucideName)}</symbol>`,
  );
  return [
    '<!-- Icons of Lucide, ISC licence, https://lucide.dev/license -->',
    `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`,
  ].join('\n');
}
