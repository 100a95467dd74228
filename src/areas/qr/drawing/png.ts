import type { Sharp } from 'sharp';
import type { Logo } from './logo.ts';
import { isDark, type QrMatrix } from './matrix.ts';
import type { QrStyle } from './style.ts';
import { drawSvg } from './svg.ts';
import { twoColorPng } from './two-color-png.ts';

export interface DrawPngOptions {
  /** Width and height in pixels, 64 to 4096. */
  size: number;
  logo?: Logo | undefined;
}

type Rgba = [number, number, number, number];

const transparent: Rgba = [255, 255, 255, 0];

const rgbaOf = (color: string): Rgba =>
  color === 'transparent'
    ? transparent
    : [
        Number.parseInt(color.slice(1, 3), 16),
        Number.parseInt(color.slice(3, 5), 16),
        Number.parseInt(color.slice(5, 7), 16),
        255,
      ];

/** Above this many pixels for each module, an image of whole modules has little to fill up. */
const fewestWholePixels = 4;

/**
 * Returns the width in pixels of a code with `modules` on a side in an image of `size`: whole
 * pixels for each module, unless that would leave more than a fifth of the image empty.
 */
function codeWidth(size: number, modules: number): number {
  const pixels = Math.floor(size / modules);
  const isWhole = pixels >= fewestWholePixels || pixels * modules === size;
  return isWhole ? pixels * modules : size;
}

const isPlain = (style: QrStyle, logo: Logo | undefined): boolean =>
  logo === undefined &&
  style.shape === 'square' &&
  style.eye_frame === 'square' &&
  style.eye_dot === 'square' &&
  (style.eye_color ?? style.foreground) === style.foreground;

/** Fills the image up to its size with background on all sides. */
function fillUp(image: Sharp, width: number, size: number, [r, g, b, alpha]: Rgba): Sharp {
  const before = Math.floor((size - width) / 2);
  const after = size - width - before;
  const background = { r, g, b, alpha: alpha / 255 };
  return image.extend({ top: before, left: before, bottom: after, right: after, background });
}

/**
 * Returns a PNG. Modules have whole pixels where the size allows it, and the rest is margin. Takes
 * this thread 1 to 2 ms; the rest runs in the threads of libuv: a few ms for a plain code, and
 * 100 ms with 4 bytes for each pixel for others.
 */
export async function drawPng(
  matrix: QrMatrix,
  style: QrStyle,
  { size, logo }: DrawPngOptions,
): Promise<Buffer> {
  const modules = matrix.size + 2 * style.margin;
  const width = codeWidth(size, modules);
  const background = rgbaOf(style.background);
  if (isPlain(style, logo) && width % modules === 0)
    return twoColorPng({
      squares: modules,
      isDark: (x, y) => isDark(matrix, x - style.margin, y - style.margin),
      dark: rgbaOf(style.foreground),
      light: background,
      square: width / modules,
      size,
    });
  const { default: sharp } = await import('sharp');
  const svg = Buffer.from(drawSvg(matrix, style, { size: width, logo }));
  return fillUp(sharp(svg), width, size, background).png().toBuffer();
}
