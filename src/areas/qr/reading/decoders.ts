import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** An image: RGBA, row by row, without transparency. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

export const qrDecoders = ['zxing', 'zbar'] as const;
export type QrDecoder = (typeof qrDecoders)[number];

/** The texts that each decoder has found in an image. */
export type QrReadings = Record<QrDecoder, string[]>;

const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Loads ZXing's decoder from the package: by itself, it would fetch it from a CDN. */
async function loadZxing() {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader');
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return async ({ data, width, height }: Pixels): Promise<string[]> => {
    const image = { data, width, height, colorSpace: 'srgb' as const };
    const found = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
      formats: ['QRCode'],
      tryInvert: false,
      tryRotate: false,
    });
    return found.map(({ bytes }) => decodeUtf8(bytes));
  };
}

/** Loads ZBar's decoder. It returns bytes: its guess of the encoding is often wrong. */
async function loadZbar() {
  const { scanRGBABuffer, ZBarConfigType, ZBarScanner, ZBarSymbolType } =
    await import('@undecaf/zbar-wasm');
  const scanner = await ZBarScanner.create();
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
  scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
  scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_BINARY, 1);
  return async ({ data, width, height }: Pixels): Promise<string[]> => {
    const found = await scanRGBABuffer(data.buffer, width, height, scanner);
    return found.map((symbol) => decodeUtf8(Uint8Array.from(symbol.data)));
  };
}

/**
 * Loads both decoders (some megabytes of WebAssembly). Returns `readQr`, which finds the QR codes
 * in an image and keeps this thread busy for 5 to 40 ms.
 */
export async function loadDecoders() {
  const [zxing, zbar] = await Promise.all([loadZxing(), loadZbar()]);
  return async function readQr(pixels: Pixels): Promise<QrReadings> {
    return { zxing: await zxing(pixels), zbar: await zbar(pixels) };
  };
}

export type ReadQr = Awaited<ReturnType<typeof loadDecoders>>;
