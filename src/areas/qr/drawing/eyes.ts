import type { eyeShapes } from './style.ts';

type EyeShape = (typeof eyeShapes)[number];

/**
 * Radius of the corners as a share of half a side: 0 is a square, 1 a circle. Real circles would be
 * lost by ZBar, mostly in version 1: 8 of 504 codes with frames of 0.75, and 1 of 2000 with 0.65.
 */
const frameRoundness: Record<EyeShape, number> = { square: 0, rounded: 0.4, circle: 0.6 };
const dotRoundness: Record<EyeShape, number> = { square: 0, rounded: 0.5, circle: 0.8 };

const number = (value: number): string => String(Math.round(value * 1000) / 1000);

/** The path of a square with round corners. */
function roundedSquare(x: number, y: number, side: number, radius: number): string {
  const [r, straight] = [number(radius), number(side - 2 * radius)];
  if (radius === 0) return `M${x} ${y}h${side}v${side}h-${side}z`;
  const arc = (dx: string, dy: string) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return (
    `M${number(x + radius)} ${y}h${straight}${arc(r, r)}v${straight}${arc(`-${r}`, r)}` +
    `h-${straight}${arc(`-${r}`, `-${r}`)}v-${straight}${arc(r, `-${r}`)}z`
  );
}

/**
 * Returns the SVG path of the three finder patterns of a code with `size` modules on a side, moved
 * by `offset` modules. To be filled with the rule `evenodd`.
 */
export function eyesPath(
  { frame, dot }: { frame: EyeShape; dot: EyeShape },
  { size, offset }: { size: number; offset: number },
): string {
  const far = offset + size - 7;
  const corners = [
    [offset, offset],
    [far, offset],
    [offset, far],
  ] as const;
  return corners
    .map(
      ([x, y]) =>
        roundedSquare(x, y, 7, 3.5 * frameRoundness[frame]) +
        // The ring is one module wide all around.
        roundedSquare(x + 1, y + 1, 5, Math.max(0, 3.5 * frameRoundness[frame] - 1)) +
        roundedSquare(x + 2, y + 2, 3, 1.5 * dotRoundness[dot]),
    )
    .join('');
}
