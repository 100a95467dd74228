import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { z } from 'zod';
import type { Pixels } from '../../src/areas/qr/reading/decoders.ts';

const run = promisify(execFile);
const mebibyte = 2 ** 20;
/** zbarimg's exit code when a file has no code. */
const nothingFound = 4;
const Failure = z.object({ code: z.unknown(), stdout: z.string() });
/** In no other code of a test. */
export const dividerText = '<<divider>>';

/** Whether a program is on the PATH: use it with `describe.skipIf`. */
export const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Decodes an image onto white. */
export async function pixelsOf(image: Buffer | string): Promise<Pixels> {
  const { data, info } = await sharp(typeof image === 'string' ? Buffer.from(image) : image)
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}

/**
 * Returns the bytes of the QR code that zbarimg finds in each file, empty if it finds none. Its XML
 * has wrong bytes where they are not ASCII, so that `divider` (a code of `dividerText`) separates
 * the raw bytes.
 */
export async function zbarimg(paths: readonly string[], divider: string): Promise<Buffer[]> {
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', '-Sqrcode.binary'];
  const { stdout } = await run(
    'zbarimg',
    [...options, ...paths.flatMap((path) => [path, divider])],
    { maxBuffer: 64 * mebibyte, encoding: 'latin1' },
  ).catch((error: unknown) => {
    const { code, stdout: found } = Failure.parse(error);
    if (code !== nothingFound) throw error;
    return { stdout: found };
  });
  return stdout
    .split(`${dividerText}\n`)
    .slice(0, -1)
    .map((text) => Buffer.from(text.replace(/\n$/, ''), 'latin1'));
}
