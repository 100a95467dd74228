import type { Logo } from './logo.ts';
import { logoBorder, type LogoBox } from './logo-box.ts';

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
