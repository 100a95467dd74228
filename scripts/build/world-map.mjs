import { readFileSync } from 'node:fs';
import { geoCentroid, geoEqualEarth, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import { inRoot } from '../setup/paths.mjs';

/** The size that the map is drawn in; WorldMap has it, too. */
const [width, height] = [640, 300];
const dotRadius = 3;

/** ISO 3166-1 alpha-2 of a numeric code, which CLDR knows as an alias of the region. */
const alpha2 = (numeric) =>
  numeric === undefined ? undefined : new Intl.Locale(`und-${numeric}`).region;

function read(scale) {
  const file = inRoot('node_modules', 'world-atlas', `countries-${scale}.json`);
  const topology = JSON.parse(readFileSync(file, 'utf8'));
  return feature(topology, topology.objects.countries).features;
}

/** Rounds the points of a path, and leaves out those that round to the one before. */
function roundedPath(path) {
  return path
    .split(/(?=M)/)
    .map((ring) => {
      const points = ring
        .replace('Z', '')
        .slice(1)
        .split('L')
        .map((point) => point.split(',').map(Math.round));
      const kept = points.filter(
        ([x, y], at) => at === 0 || x !== points[at - 1][0] || y !== points[at - 1][1],
      );
      if (kept.length < 3) return '';
      const [[x, y], ...rest] = kept;
      const steps = rest.map(([nextX, nextY], at) => [nextX - kept[at][0], nextY - kept[at][1]]);
      return `M${x} ${y}l${steps.flat().join(' ').replaceAll(' -', '-')}z`;
    })
    .join('');
}

/**
 * Returns the world as one SVG, in Equal Earth: `land` is all of it, and every country has its own
 * drawing by ISO 3166-1 code: a shape, or a dot if it is too small for one. They have no colour of
 * their own. From Natural Earth (public domain), without Antarctica.
 */
export function worldMap() {
  const drawn = read('110m').filter(({ id }) => id !== '010');
  const projection = geoEqualEarth().fitSize([width, height], {
    type: 'FeatureCollection',
    features: drawn,
  });
  const path = geoPath(projection);
  const shapes = new Map();
  for (const country of drawn) {
    const code = alpha2(country.id);
    if (code !== undefined)
      shapes.set(code, `<path id="${code}" d="${roundedPath(path(country))}"/>`);
  }
  for (const country of read('50m')) {
    const code = alpha2(country.id);
    if (code === undefined || country.id === '010' || shapes.has(code)) continue;
    const [x, y] = projection(geoCentroid(country)).map(Math.round);
    shapes.set(code, `<circle id="${code}" cx="${x}" cy="${y}" r="${dotRadius}"/>`);
  }
  const drawings = [...shapes.values()];
  const [land, dots] = ['<path', '<circle'].map((start) =>
    drawings.filter((drawing) => drawing.startsWith(start)).join(''),
  );
  return [
    '<!-- Natural Earth, public domain, by world-atlas. -->',
    `<svg xmlns="http://www.w3.org/2000/svg"><g id="land">${land}</g><g>${dots}</g></svg>\n`,
  ].join('\n');
}
