import { layoutOf, paperSizes } from '../../../../areas/qr/drawing/sheet-layout.ts';
import type { Html } from '../../../../lib/text/html.ts';
import type { labelLayouts } from './label-form.tsx';

type Layout = (typeof labelLayouts)[keyof typeof labelLayouts];

/** Of a label that its code and its two lines leave free, in millimeters. */
const padding = 1.5;
const captionHeight = 6;

const round = (millimeters: number): number => Math.round(millimeters * 10) / 10;

type Place = readonly [column: number, row: number];
/** Of a drawn code, in ninths of its side. */
const corners: readonly Place[] = [
  [0, 0],
  [6, 0],
  [0, 6],
];
const dots: readonly Place[] = [
  [4, 0],
  [5, 2],
  [4, 4],
  [6, 5],
  [8, 4],
  [0, 4],
  [2, 5],
  [6, 8],
  [8, 7],
  [4, 7],
];

/** The corners and some dots of a code: what one knows a code by, from afar. */
function glyph(x: number, y: number, side: number): string {
  const unit = side / 9;
  const box = (column: number, row: number, size: number) =>
    `M${round(x + column * unit)} ${round(y + row * unit)}h${round(size * unit)}` +
    `v${round(size * unit)}h${round(-size * unit)}z`;
  return [
    ...corners.map(([column, row]) => box(column, row, 3) + box(column + 1, row + 1, 1)),
    ...dots.map(([column, row]) => box(column, row, 1)),
  ].join('');
}

/** A sheet of labels, drawn to scale. */
export function sheetPicture(options: Layout): Html {
  const { width, height } = paperSizes[options.paper];
  const { columns, rows, left, top, pitchX, pitchY, ...label } = layoutOf(options);
  const cells = Array.from({ length: columns * rows }, (_, at) => ({
    x: left + (at % columns) * pitchX,
    y: top + Math.floor(at / columns) * pitchY,
  }));
  const side = 0.8 * (Math.min(label.width, label.height - captionHeight) - 2 * padding);
  const [across, down] = [round(label.width), round(label.height)];
  const outlines = cells.map(
    ({ x, y }) => `M${round(x)} ${round(y)}h${across}v${down}h${-across}z`,
  );
  const codes = cells.map(({ x, y }) => glyph(x + (label.width - side) / 2, y + padding, side));
  const line = (x: number, y: number, share: number) =>
    `M${round(x + (label.width * (1 - share)) / 2)} ${round(y)}h${round(label.width * share)}`;
  const lines = cells.map(
    ({ x, y }) => line(x, y + side + 3 * padding, 0.4) + line(x, y + side + 5 * padding, 0.6),
  );
  return (
    <svg class="sheet" viewBox={`0 0 ${round(width)} ${round(height)}`} aria-hidden="true">
      <path class="sheet-labels" d={outlines.join('')} />
      <path class="sheet-codes" fill-rule="evenodd" d={codes.join('')} />
      <path class="sheet-lines" d={lines.join('')} />
    </svg>
  );
}
