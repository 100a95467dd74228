import type PDFDocument from 'pdfkit';
import type { Logo } from './logo.ts';
import { logoBoxOf, placeLogo } from './logo-box.ts';
import type { QrMatrix } from './matrix.ts';
import { shapesOf } from './shapes.ts';
import type { QrStyle } from './style.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

/** PDF's unit, a 72nd of an inch. */
export const pointsPerMm = 72 / 25.4;

/** A code to draw, with the logo that its style names. */
export interface DrawnCode {
  matrix: QrMatrix;
  style: QrStyle;
  logo?: Logo | undefined;
}

/** Where a code is on a page, in points. */
export interface CodePlace {
  x: number;
  y: number;
  side: number;
}

/** Creates the function that draws codes as vectors. A logo is in the document once. */
export function createCodeDrawer(pdf: Pdf) {
  const addresses = new Map<Logo, string>();

  /** The package embeds an image once for each address. */
  function addressOf(logo: Logo): string {
    const known = addresses.get(logo);
    if (known !== undefined) return known;
    const address = `data:image/png;base64,${Buffer.from(logo.png).toString('base64')}`;
    addresses.set(logo, address);
    return address;
  }

  return ({ matrix, style, logo }: DrawnCode, place: CodePlace): void => {
    const box = logo === undefined ? undefined : logoBoxOf(matrix);
    const { side, shapes } = shapesOf(matrix, style, box);
    pdf.save();
    pdf.translate(place.x, place.y).scale(place.side / side);
    if (style.background !== 'transparent') pdf.rect(0, 0, side, side).fill(style.background);
    for (const { path, color, dot } of shapes) {
      pdf.path(path);
      if (dot === undefined) pdf.fill(color, 'even-odd');
      else pdf.lineWidth(dot).lineCap('round').stroke(color);
    }
    if (box !== undefined && logo !== undefined) {
      const { x, y, width, height } = placeLogo(box, logo, style.margin);
      pdf.image(addressOf(logo), x, y, { width, height });
    }
    pdf.restore();
  };
}
