import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';
import marks from '../marks.json' with { type: 'json' };

/** The folders of brand marks and of flags: `/assets/marks/google.svg`, `/assets/flags/DE.svg`. */
export const marksPath = '/assets/marks';
export const flagsPath = '/assets/flags';

const known: Readonly<Partial<Record<string, string>>> = marks;
const tints = 6;

/**
 * The flag of a country by its ISO 3166-1 code; an empty place for null and other codes. It stands
 * before the name of the country and says nothing to screen readers. Loaded when it is in view.
 */
export function FlagMark({ country }: { country: string | null }): Html {
  if (country === null || !/^[A-Z]{2}$/.test(country)) return <span class="flag" />;
  const src = `${flagsPath}/${country}.svg`;
  return <img class="flag" src={src} alt="" width="18" height="12" loading="lazy" />;
}

/** The first letter or digit of a name, without the `www.` of a host. */
const letterOf = (name: string): string =>
  /[\p{L}\p{N}]/u.exec(name.replace(/^www\./, ''))?.[0].toUpperCase() ?? '?';

/** One of a few tints, always the same for a name. */
const tintOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) %
  tints;

/**
 * The mark of a source, browser or system by its name in the figures, such as `Google` or `macOS`;
 * the letter of any other name in a tinted square, and a link icon for null (direct). It
 * stands before the name and says nothing to screen readers.
 */
export function BrandMark({ name }: { name: string | null }): Html {
  if (name === null) return <Icon name="link" />;
  const id = Object.hasOwn(known, name) ? known[name] : undefined;
  if (id !== undefined) {
    const src = `${marksPath}/${id}.svg`;
    return <img class="mark" src={src} alt="" width="16" height="16" loading="lazy" />;
  }
  return (
    <span class={`mark mark-${tintOf(name)}`} aria-hidden="true">
      {escapeHtml(letterOf(name))}
    </span>
  );
}

const deviceIcons: Readonly<Partial<Record<string, IconName>>> = {
  console: 'game',
  desktop: 'monitor',
  mobile: 'devices',
  tablet: 'tablet',
  tv: 'tv',
  wearable: 'watch',
};

/** The icon of a kind of device as the figures have it: `mobile`. Others get a question mark. */
export const DeviceMark = ({ kind }: { kind: string | null }): Html => (
  <Icon name={(kind === null ? undefined : deviceIcons[kind]) ?? 'question'} />
);
