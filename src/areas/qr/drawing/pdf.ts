import { buffer } from 'node:stream/consumers';
import { createCodeDrawer, type DrawnCode, pointsPerMm } from './pdf-code.ts';

/** Returns a PDF of one page that the code fills, as vectors. `size` is in millimeters. */
export async function drawPdf(
  code: DrawnCode,
  { size, title }: { size: number; title?: string },
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const side = size * pointsPerMm;
  const pdf = new PDFDocument({
    size: [side, side],
    margin: 0,
    ...(title === undefined ? {} : { info: { Title: title } }),
  });
  createCodeDrawer(pdf)(code, { x: 0, y: 0, side });
  pdf.end();
  return buffer(pdf);
}
