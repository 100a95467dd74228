import { eyesPath } from './eyes.ts';
import type { LogoBox } from './logo-box.ts';
import type { QrMatrix } from './matrix.ts';
import { dotsPath, type Grid, outlinePath } from './outline.ts';
import type { QrStyle } from './style.ts';

/** A path in SVG's syntax, in modules: filled by the rule `evenodd`, or drawn as points. */
export interface Shape {
  path: string;
  color: string;
  /** Diameter of the points, in modules. Without it, the path is filled. */
  dot?: number;
}

export interface CodeShapes {
  /** Modules on a side, margins included. */
  side: number;
  shapes: Shape[];
}

/** In modules. */
const cornerRadius = 0.4;
const dotDiameter = 0.9;

const isEye = (x: number, y: number, size: number): boolean =>
  (y < 7 && (x < 7 || x >= size - 7)) || (y >= size - 7 && x < 7);

const isInside = ({ x, y, side }: LogoBox, atX: number, atY: number): boolean =>
  atX >= x && atX < x + side && atY >= y && atY < y + side;

/** The dark modules without eyes and without what the logo hides. */
function visibleModules({ size, modules }: QrMatrix, logo: LogoBox | undefined): Grid {
  const cells = modules.slice();
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1)
      if (isEye(x, y, size) || (logo !== undefined && isInside(logo, x, y)))
        cells[y * size + x] = 0;
  return { size, cells };
}

/** The cells of a grid that are, or are not, in an alignment pattern beside the timing patterns. */
function splitAlignment({ size, cells }: Grid, { reserved }: QrMatrix) {
  const isAlignment = (at: number) =>
    reserved[at] === 1 && at % size > 8 && Math.floor(at / size) > 8;
  return {
    alignment: { size, cells: cells.map((cell, at) => (isAlignment(at) ? cell : 0)) },
    others: { size, cells: cells.map((cell, at) => (isAlignment(at) ? 0 : cell)) },
  };
}

/**
 * Returns what is drawn for a code, in modules from the corner of its margin. Where modules are
 * dots, alignment patterns are in one piece, like the eyes: ZXing misses them otherwise.
 */
export function shapesOf(matrix: QrMatrix, style: QrStyle, logo: LogoBox | undefined): CodeShapes {
  const { margin: offset, foreground: color, shape } = style;
  const side = matrix.size + 2 * offset;
  const grid = visibleModules(matrix, logo);
  const eyes: Shape = {
    path: eyesPath({ frame: style.eye_frame, dot: style.eye_dot }, { size: matrix.size, offset }),
    color: style.eye_color ?? color,
  };
  const outline = (cells: Grid): Shape => ({
    path: outlinePath(cells, { offset, radius: shape === 'square' ? 0 : cornerRadius }),
    color,
  });
  if (shape !== 'dots') return { side, shapes: joinPaths([outline(grid), eyes]) };
  const { alignment, others } = splitAlignment(grid, matrix);
  const dots: Shape = { path: dotsPath(others, { offset }), color, dot: dotDiameter };
  return { side, shapes: [dots, ...joinPaths([outline(alignment), eyes])] };
}

/** Two filled shapes, as one path if they have one color. */
function joinPaths([first, second]: [Shape, Shape]): Shape[] {
  if (first.path === '') return [second];
  if (first.color !== second.color) return [first, second];
  return [{ path: first.path + second.path, color: first.color }];
}
