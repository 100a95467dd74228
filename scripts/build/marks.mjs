import { readFileSync, readdirSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';

const inPackage = (...path) => inRoot('node_modules', ...path);

/** Our own drawings: what the package does not have, or draws too finely. Colour and path. */
const own = {
  safari: ['0A84FF', 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm6 5-4.3 7.7L6 18l4.3-7.7z'],
  windows: ['0078D4', 'M1 1h10v10H1zM13 1h10v10H13zM1 13h10v10H1zM13 13h10v10H13z'],
};

/** Relative luminance (WCAG 2.2) of a colour such as `FF4500`. */
function luminance(hex) {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A grey that stands on light and on dark grounds, for marks that are black or white. */
const plain = '#7d8590';
const fillOf = (hex) =>
  luminance(hex) < 0.03 || luminance(hex) > 0.7 ? plain : `#${hex.toLowerCase()}`;

const pathOf = (slug) =>
  / d="([^"]+)"/.exec(readFileSync(inPackage('simple-icons', 'icons', `${slug}.svg`), 'utf8'))?.[1];

/**
 * Returns the marks of src/platform/ui/marks.json (Simple Icons, CC0) as JSON: an SVG a slug.
 * One by one: a page shows a few of them.
 */
export async function markFiles() {
  const icons = Object.values(await import('simple-icons'));
  const colours = new Map(icons.map(({ slug, hex }) => [slug, hex]));
  const marks = JSON.parse(readFileSync(inRoot('src', 'platform', 'ui', 'marks.json'), 'utf8'));
  const files = [...new Set(Object.values(marks))].sort().map((slug) => {
    const [hex, path] = own[slug] ?? [colours.get(slug), pathOf(slug)];
    const rule = own[slug] === undefined ? '' : ' fill-rule="evenodd"';
    const shape = `<path fill="${fillOf(hex)}"${rule} d="${path}"/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${shape}</svg>`;
    return [slug, svg];
  });
  return JSON.stringify(Object.fromEntries(files));
}

/** Returns the flags of country-flag-icons (MIT) as JSON: an SVG for each ISO 3166-1 code. */
export function flagFiles() {
  const folder = inPackage('country-flag-icons', '3x2');
  const files = readdirSync(folder).filter((file) => /^[A-Z]{2}\.svg$/.test(file));
  const flags = files.map((file) => [
    file.slice(0, 2),
    readFileSync(inPackage('country-flag-icons', '3x2', file), 'utf8'),
  ]);
  return JSON.stringify(Object.fromEntries(flags));
}
