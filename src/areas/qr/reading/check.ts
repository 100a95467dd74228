import type { DrawnCode } from '../drawing/pdf-code.ts';
import { drawSvg } from '../drawing/svg.ts';
import { type Pixels, type QrDecoder, qrDecoders, type ReadQr } from './decoders.ts';
import { problemOfReading, type QrProblem } from './verdict.ts';

/**
 * Pixels of a module in the images that are read. The second one is for decoders that could not
 * read the first: where the edges of modules fall matters to them at small sizes.
 */
const scales = [4, 7];

async function render({ matrix, style, logo }: DrawnCode, scale: number): Promise<Pixels> {
  const { default: sharp } = await import('sharp');
  const size = scale * (matrix.size + 2 * style.margin);
  const { data, info } = await sharp(Buffer.from(drawSvg(matrix, style, { size, logo })))
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}

/** Returns the first decoder that finds anything but the exact text in the code. */
async function findBlind(readQr: ReadQr, code: DrawnCode): Promise<QrDecoder | undefined> {
  let blind: readonly QrDecoder[] = qrDecoders;
  for (const scale of scales) {
    const readings = await readQr(await render(code, scale));
    blind = blind.filter(
      (decoder) => readings[decoder].length !== 1 || readings[decoder][0] !== code.matrix.text,
    );
    if (blind.length === 0) return undefined;
  }
  return blind[0];
}

/**
 * Draws a code on white, and returns why it is not readable, if a decoder does not find exactly its
 * text. CPU-heavy: run it in a thread.
 */
export async function checkDrawn(readQr: ReadQr, code: DrawnCode): Promise<QrProblem | undefined> {
  const decoder = await findBlind(readQr, code);
  if (decoder === undefined) return undefined;
  const isLogo =
    code.logo !== undefined &&
    (await findBlind(readQr, { ...code, logo: undefined })) === undefined;
  return problemOfReading(decoder, isLogo);
}
