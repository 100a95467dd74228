import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

type Rgba = readonly [number, number, number, number];

/** A picture of two colors, made of squares. */
export interface Squares {
  /** Squares on a side. */
  squares: number;
  isDark: (x: number, y: number) => boolean;
  dark: Rgba;
  light: Rgba;
  /** Width and height of a square in pixels. */
  square: number;
  /** Width and height of the picture in pixels. What the squares leave is light, on all sides. */
  size: number;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const unfiltered = 0;
const asAbove = 2;
const deflated = promisify(deflate);

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

function header(size: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(size, 0);
  data.writeUInt32BE(size, 4);
  const [bitDepth, paletted] = [1, 3];
  data.set([bitDepth, paletted, 0, 0, 0], 8);
  return data;
}

/** A bit for each pixel, in rows that begin with their filter: most are as the row above. */
function bits({ squares, isDark, square, size }: Squares): Buffer {
  const rowLength = 1 + Math.ceil(size / 8);
  const rows = Buffer.alloc(rowLength * size);
  const start = Math.floor((size - squares * square) / 2);
  for (let y = 0; y < size; y += 1) rows[y * rowLength] = asAbove;
  for (let y = 0; y <= squares; y += 1) {
    const at = (start + y * square) * rowLength;
    // After the last square, the light rows begin.
    if (at >= rows.length) break;
    rows[at] = unfiltered;
    for (let x = 0; x < squares && y < squares; x += 1) {
      if (!isDark(x, y)) continue;
      for (let bit = start + x * square, end = bit + square; bit < end; bit += 1) {
        const byte = at + 1 + (bit >> 3);
        rows[byte] = (rows[byte] ?? 0) | (0x80 >> (bit & 7));
      }
    }
  }
  return rows;
}

/**
 * Returns a PNG (ISO/IEC 15948) with one bit for each pixel. Encoders of photographs take twenty
 * times as long for it, because they compress four bytes for each.
 */
export async function twoColorPng(picture: Squares): Promise<Buffer> {
  const { light, dark, size } = picture;
  const colors = Buffer.from([...light.slice(0, 3), ...dark.slice(0, 3)]);
  const opacities = Buffer.of(light[3], dark[3]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header(size)),
    chunk('PLTE', colors),
    ...(light[3] === 255 ? [] : [chunk('tRNS', opacities)]),
    chunk('IDAT', await deflated(bits(picture), { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
