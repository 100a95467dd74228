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
const dotDiameter = 0.85;

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

/** Returns what is drawn for a code, in modules from the corner of its margin. */
export function shapesOf(matrix: QrMatrix, style: QrStyle, logo: LogoBox | undefined): CodeShapes {
  const { margin: offset, foreground: color, shape, eye_color: eyeColor } = style;
  const grid = visibleModules(matrix, logo);
  const modules: Shape =
    shape === 'dots'
      ? { path: dotsPath(grid, { offset }), color, dot: dotDiameter }
      : {
          path: outlinePath(grid, { offset, radius: shape === 'rounded' ? cornerRadius : 0 }),
          color,
        };
  const eyes = eyesPath(
    { frame: style.eye_frame, dot: style.eye_dot },
    { size: matrix.size, offset },
  );
  const side = matrix.size + 2 * offset;
  const isOnePath = modules.dot === undefined && (eyeColor ?? color) === color;
  return isOnePath
    ? { side, shapes: [{ path: modules.path + eyes, color }] }
    : { side, shapes: [modules, { path: eyes, color: eyeColor ?? color }] };
}
