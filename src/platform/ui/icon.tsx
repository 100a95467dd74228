import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { Html } from '../../lib/text/html.ts';
import icons from './icons.json' with { type: 'json' };

/** The names of our icons, by meaning. */
export type IconName = keyof typeof icons;

const isIconName = (name: string): name is IconName => Object.hasOwn(icons, name);
export const iconNames: readonly IconName[] = Object.keys(icons).filter(isIconName);

/**
 * The URL of the sprite. It is stable, so that components need no manifest; browsers check it after
 * a day. The query changes with the list of icons, so that a new icon is there at once.
 */
export const iconsPath = '/assets/icons.svg';
const iconsUrl = `${iconsPath}?v=${sha256Hex(JSON.stringify(icons)).slice(0, 8)}`;

export interface IconProps {
  name: IconName;
  /** What it says, for icons without text beside them. */
  label?: string | undefined;
}

/** An icon in the size and colour of the text around it. */
export function Icon({ name, label }: IconProps): Html {
  const role =
    label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label };
  return (
    <svg class="icon" {...role}>
      <use href={`${iconsUrl}#${name}`} />
    </svg>
  );
}
