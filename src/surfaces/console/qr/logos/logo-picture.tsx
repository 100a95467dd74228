import { maxLogoName, type LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';

export const logosPath = `${qrPath}/logos` as const;

export const logoSize = ({ width, height }: LogoView): string =>
  texts.logos.size({ width, height });

/** What a logo is called: its own name, or what it is. */
export const logoTitle = ({ name }: LogoView): string => name ?? texts.logos.unnamed;

/** The picture of a logo, within `side` pixels. Its name stands beside it. */
export const pictureOfLogo = ({ id }: LogoView, side: number): Html => (
  <img
    class="logo"
    src={`${logosPath}/${id}/picture`}
    alt=""
    width={String(side)}
    height={String(side)}
    loading="lazy"
  />
);

/** The name of an uploaded file as the name of a logo: without its extension; null without one. */
export function logoNameOf(fileName: string): string | null {
  const name = fileName
    .replace(/\.[a-z\d]{2,5}$/i, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toWellFormed();
  return name === '' ? null : Array.from(name).slice(0, maxLogoName).join('');
}
