import type { Html } from '../../../lib/text/html.ts';

const hues = 6;

/**
 * Returns the first letters of the first and last word: `Zoe Schneider` is `ZS`. The words of an
 * address are those before the @. A number is used after a single word: `hello7@…` is `H7`.
 */
function initialsOf(name: string): string {
  const words = name
    .replace(/(?<=.)@.*/u, '')
    .split(/[\s@._-]+|(?<=\p{L})(?=\p{N})/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const named = words.filter((word) => /^\p{L}/u.test(word));
  const shown = named.length > 1 ? named : words;
  const letters = [shown[0], shown.length > 1 ? shown.at(-1) : undefined];
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}

/** The same name always has the same colour. */
const hueOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues;

export interface AvatarOptions {
  /** A person's name or address. It must be written beside the avatar, which is decoration. */
  name: string;
  /** URL of a square picture. */
  picture?: string | undefined;
  /** `large`: beside the heading of a page about the person. */
  size?: 'medium' | 'large';
}

/** A person's picture or initials. */
export function Avatar({ name, picture, size = 'medium' }: AvatarOptions): Html {
  const look = size === 'large' ? 'avatar avatar-large' : 'avatar';
  const side = size === 'large' ? '56' : '28';
  return picture === undefined ? (
    <span class={`${look} avatar-${hueOf(name)}`} aria-hidden="true" safe>
      {initialsOf(name) || '?'}
    </span>
  ) : (
    <img class={look} src={picture} alt="" width={side} height={side} loading="lazy" />
  );
}
