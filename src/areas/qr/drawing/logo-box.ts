import type { Logo } from './logo.ts';
import { isReserved, type QrLevel, type QrMatrix } from './matrix.ts';

/** Where a logo and its quiet border are, in modules of the code without its margin. */
export interface LogoBox {
  x: number;
  y: number;
  /** Modules on a side, border included. */
  side: number;
}

/** Width of the empty border around a logo, in modules. */
const logoBorder = 0.5;
const leastSide = 5;

/**
 * The largest share of the code that a logo may hide. Both decoders read all codes of versions 2 to
 * 6 with black, white and noisy logos of M 5.8 %, Q 9.6 %, H 14.4 % and more (only in version 2, of
 * M 4 %, Q and H 7.8 %: there, the whole number of modules keeps the share below that).
 */
const largestShare: Record<QrLevel, number> = { L: 0, M: 0.05, Q: 0.075, H: 0.12 };

function coversReserved(matrix: QrMatrix, { x, y, side }: LogoBox): boolean {
  for (let down = 0; down < side; down += 1)
    for (let across = 0; across < side; across += 1)
      if (isReserved(matrix, x + across, y + down)) return true;
  return false;
}

/**
 * Returns the place of a logo in the center of a code: as large as its level allows, and without
 * covering a function pattern. Undefined if there is no room: at level L, or when the matrix was
 * not encoded with `forLogo`.
 */
export function logoBoxOf(matrix: QrMatrix): LogoBox | undefined {
  const largest = Math.floor(Math.sqrt(largestShare[matrix.level]) * matrix.size);
  // Codes have an odd number of modules.
  for (let side = largest - (1 - (largest % 2)); side >= leastSide; side -= 2) {
    const at = (matrix.size - side) / 2;
    const box = { x: at, y: at, side };
    if (!coversReserved(matrix, box)) return box;
  }
  return undefined;
}

/** Returns where the picture is, in modules from the corner of the margin: centered in its box. */
export function placeLogo({ x, y, side }: LogoBox, { width, height }: Logo, margin: number) {
  const scale = (side - 2 * logoBorder) / Math.max(width, height);
  const [across, down] = [width * scale, height * scale];
  return {
    x: margin + x + (side - across) / 2,
    y: margin + y + (side - down) / 2,
    width: across,
    height: down,
  };
}
