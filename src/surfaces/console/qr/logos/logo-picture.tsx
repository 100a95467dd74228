import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { qrPath } from '../qr-view.ts';
import { texts } from '../texts/en.ts';

export const logosPath = `${qrPath}/logos`;

export const logoSize = ({ width, height }: LogoView): string =>
  texts.logos.size({ width, height });

/** The picture of a logo, within 64 pixels. */
export const LogoPicture = (logo: LogoView): Html => (
  <img
    class="logo"
    src={`${logosPath}/${logo.id}/picture`}
    alt={texts.logos.picture({ size: logoSize(logo) })}
    width="64"
    height="64"
    loading="lazy"
  />
);
