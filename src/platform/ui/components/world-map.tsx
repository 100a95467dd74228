import { escapeHtml, type Html } from '../../../lib/text/html.ts';

/** The URL of the map, stable like that of the icons; browsers check it after a day. */
export const worldPath = '/assets/world.svg';
/** The size that the build draws the map in (scripts/build/world-map.mjs). */
const viewBox = '0 0 640 300';
const shades = 6;

export interface MapCountry {
  /** ISO 3166-1 alpha-2. */
  code: string;
  value: number;
  /** What the pointer reads: `Germany: 1,234 visitors`. */
  title: string;
  href?: string | undefined;
}

/** Returns the shade of each country, 1 to 6: sixths of the countries, by their value. */
function shadesOf(countries: readonly MapCountry[]): ReadonlyMap<string, number> {
  const order = [...countries].sort((a, b) => a.value - b.value);
  return new Map(
    order.map(({ code }, at) => [code, Math.ceil((shades * (at + 1)) / order.length)] as const),
  );
}

/**
 * A map of the world whose countries are the darker, the greater their value is among all of them.
 * Other codes than those of countries, and countries without a value, have no shade. It is only for
 * the eye and the pointer: a table has to say the same. The drawing is loaded where it is in view.
 */
export function WorldMap({ countries }: { countries: readonly MapCountry[] }): Html {
  const shown = countries.filter(({ code, value }) => /^[A-Z]{2}$/.test(code) && value > 0);
  const shadeOf = shadesOf(shown);
  return (
    <svg class="world-map" viewBox={viewBox} aria-hidden="true">
      <use href={`${worldPath}#land`} />
      {shown.map(({ code, title, href }) => (
        <a href={href} tabindex="-1" class={`shade-${shadeOf.get(code) ?? 1}`}>
          <title>{escapeHtml(title)}</title>
          <use href={`${worldPath}#${code}`} />
        </a>
      ))}
    </svg>
  );
}
