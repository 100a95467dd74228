import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutToFit, printableCaption } from './caption.ts';
import { createCodeDrawer, type DrawnCode, type Pdf, pointsPerMm } from './pdf-code.ts';
import { layoutOf, paperSizes, type SheetLayout, type SheetOptions } from './sheet-layout.ts';

/** A code with what is printed below it. */
export interface SheetCode extends DrawnCode {
  name: string;
  /** A short address, or empty. */
  link: string;
}

/** In millimeters. */
const padding = 1.5;
/** Sizes of the two lines, in points: the height of small labels leaves room for no more. */
const nameSize = 7.5;
const linkSize = 6;
const lineHeight = 1.25;
const captionHeight = (nameSize + linkSize) * lineHeight;
const longestTurnMs = 4;

interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the cell in points. */
function cellOf({ left, top, pitchX, pitchY, ...layout }: SheetLayout, at: number): Cell {
  const [column, row] = [at % layout.columns, Math.floor(at / layout.columns)];
  return {
    x: (left + column * pitchX + padding) * pointsPerMm,
    y: (top + row * pitchY + padding) * pointsPerMm,
    width: (layout.width - 2 * padding) * pointsPerMm,
    height: (layout.height - 2 * padding) * pointsPerMm,
  };
}

function writeLine(pdf: Pdf, text: string, size: number, { x, y, width }: Omit<Cell, 'height'>) {
  pdf.fontSize(size);
  const line = cutToFit(text, (each) => pdf.widthOfString(each) <= width);
  // Centered here: a width would make the package break lines and pages.
  pdf.text(line, x + (width - pdf.widthOfString(line)) / 2, y, { lineBreak: false });
}

function drawCell(
  pdf: Pdf,
  drawCode: ReturnType<typeof createCodeDrawer>,
  code: SheetCode,
  cell: Cell,
) {
  const side = Math.min(cell.width, cell.height - captionHeight);
  drawCode(code, { x: cell.x + (cell.width - side) / 2, y: cell.y, side });
  pdf.fillColor('#000000');
  const below = cell.y + side + (lineHeight - 1) * nameSize;
  const name = printableCaption(code.name);
  writeLine(pdf, name, nameSize, { ...cell, y: below });
  writeLine(pdf, printableCaption(code.link), linkSize, {
    ...cell,
    y: name === '' ? below : below + nameSize * lineHeight,
  });
}

/**
 * Yields a PDF with a code in each cell of its pages, as vectors, with name and link below it.
 * Codes may be made while the sheet is drawn: only one is held at a time, and the event loop gets
 * its turn every 4 ms. Names keep the letters of Windows-1252 only, see `printableCaption`.
 */
export async function* drawSheet(
  codes: Iterable<SheetCode> | AsyncIterable<SheetCode>,
  options: SheetOptions,
): AsyncGenerator<Buffer, void> {
  const { default: PDFDocument } = await import('pdfkit');
  const layout = layoutOf(options);
  const { width, height } = paperSizes[options.paper];
  const pdf = new PDFDocument({
    size: [width * pointsPerMm, height * pointsPerMm],
    margin: 0,
    autoFirstPage: false,
    font: 'Helvetica',
  });
  const drawCode = createCodeDrawer(pdf);
  let count = 0;
  let turnEnds = performance.now() + longestTurnMs;
  for await (const code of codes) {
    const at = count % (layout.columns * layout.rows);
    if (at === 0) pdf.addPage();
    drawCell(pdf, drawCode, code, cellOf(layout, at));
    count += 1;
    // The next page compresses this one, which takes a turn of its own.
    const isPageFull = at === layout.columns * layout.rows - 1;
    if (!isPageFull && performance.now() < turnEnds) continue;
    const written: unknown = pdf.read();
    if (Buffer.isBuffer(written)) yield written;
    await nextTurn();
    turnEnds = performance.now() + longestTurnMs;
  }
  if (count === 0) pdf.addPage();
  pdf.end();
  for await (const rest of pdf) if (Buffer.isBuffer(rest)) yield rest;
}
