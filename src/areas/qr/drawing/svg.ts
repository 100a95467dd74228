import { escapeHtml } from '../../../lib/text/html.ts';
import type { Logo } from './logo.ts';
import { type LogoBox, logoBoxOf, placeLogo } from './logo-box.ts';
import type { QrMatrix } from './matrix.ts';
import { type Shape, shapesOf } from './shapes.ts';
import type { QrStyle } from './style.ts';

export interface DrawSvgOptions {
  /** Width and height in pixels. */
  size: number;
  /** What the image is, for people who do not see it. */
  title?: string;
  logo?: Logo | undefined;
}

/** Characters that XML does not allow, even escaped. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const number = (value: number): string => String(Math.round(value * 1000) / 1000);

const shapeElement = ({ path, color, dot }: Shape): string =>
  dot === undefined
    ? `<path fill="${color}" fill-rule="evenodd" d="${path}"/>`
    : `<path fill="none" stroke="${color}" stroke-width="${dot}" stroke-linecap="round" ` +
      `d="${path}"/>`;

function logoElement(box: LogoBox, logo: Logo, margin: number): string {
  const { x, y, width, height } = placeLogo(box, logo, margin);
  const data = Buffer.from(logo.png).toString('base64');
  return (
    `<image x="${number(x)}" y="${number(y)}" width="${number(width)}" ` +
    `height="${number(height)}" href="data:image/png;base64,${data}"/>`
  );
}

/**
 * Returns an SVG document: one path for the modules, and one for the eyes if they need it. Edges
 * between modules are none, so that no hairlines show at any size.
 */
export function drawSvg(
  matrix: QrMatrix,
  style: QrStyle,
  { size, title, logo }: DrawSvgOptions,
): string {
  const box = logo === undefined ? undefined : logoBoxOf(matrix);
  const { side, shapes } = shapesOf(matrix, style, box);
  const name = title === undefined ? '' : title.replace(notInXml, '');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" ` +
    `viewBox="0 0 ${side} ${side}" role="img">` +
    (name === '' ? '' : `<title>${escapeHtml(name)}</title>`) +
    (style.background === 'transparent'
      ? ''
      : `<path fill="${style.background}" d="M0 0h${side}v${side}H0z"/>`) +
    shapes.map(shapeElement).join('') +
    (box === undefined || logo === undefined ? '' : logoElement(box, logo, style.margin)) +
    '</svg>'
  );
}
