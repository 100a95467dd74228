import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { toError } from '../../../lib/to-error.ts';
import type { Batches } from '../batches/service.ts';
import { uniqueFileName } from '../codes/file-name.ts';
import { createCodeReader } from '../codes/reader.ts';
import type { QrParts } from '../compose.ts';
import { drawSheet, type SheetCode } from '../drawing/sheet.ts';
import { maxSheetCodes } from '../drawing/sheet-layout.ts';
import { qrErrors } from '../errors.ts';
import type { QrCodeView } from '../schemas.ts';
import type { SheetBody, ZipQuery } from './schemas.ts';

/** Files with many codes: sheets to print, and archives of pictures. */
export function createPrints(parts: QrParts & { batches: Batches }) {
  const { pictures, batches } = parts;
  const reader = createCodeReader(parts);
  return { sheet, zip, zipOf };

  /**
   * A PDF of labels, at most 500 codes. Rejects with `qr.batch_not_found`, `qr.batch_running`,
   * and, before the first byte, with why the first code can't be drawn.
   */
  async function sheet({ ids, batch_id: batch, offset, ...options }: SheetBody): Promise<Readable> {
    if (batch !== undefined) await requireFinished(batch);
    const views = batch === undefined ? reader.ofIds(ids ?? []) : reader.ofBatch(batch);
    return Readable.from(drawSheet(drawn(views, offset), options));
  }

  /** A zip of the pictures of a file. Rejects with `qr.batch_not_found`, `qr.batch_running`. */
  async function zip(batchId: string, query: ZipQuery): Promise<Readable> {
    await requireFinished(batchId);
    return archiveOf(reader.ofBatch(batchId), query);
  }

  /** A zip of the pictures of the codes with these ids. Unknown ids are left out. */
  function zipOf(ids: readonly string[], query: ZipQuery): Promise<Readable> {
    return archiveOf(reader.ofIds(ids), query);
  }

  async function archiveOf(views: AsyncIterable<QrCodeView>, query: ZipQuery): Promise<Readable> {
    const { ZipFile } = await import('yazl');
    const archive = new ZipFile();
    const output = new PassThrough();
    const gone = new AbortController();
    output.once('close', () => gone.abort());
    archive.outputStream.pipe(output);
    async function fill({ format, size }: ZipQuery): Promise<void> {
      for await (const view of views) {
        const picture = await pictures.draw(view, { format, size, title: view.name });
        if (output.destroyed) return;
        archive.addBuffer(picture, `${uniqueFileName(view)}.${format}`, {
          compress: format === 'svg',
        });
        // Draws at the pace of the client.
        if (output.writableNeedDrain) await once(output, 'drain', { signal: gone.signal });
      }
      archive.end();
    }
    fill(query).catch((error: unknown) => output.destroy(toError(error)));
    return output;
  }

  async function requireFinished(batchId: string): Promise<void> {
    const { status } = await batches.get(batchId);
    if (status === 'running') throw qrErrors.batch_running({ headers: { 'retry-after': '10' } });
  }

  async function* drawn(
    views: AsyncIterable<QrCodeView>,
    offset: number,
  ): AsyncGenerator<SheetCode> {
    let count = 0;
    for await (const view of views) {
      if ((count += 1) <= offset) continue;
      if (count > offset + maxSheetCodes) return;
      yield { ...(await pictures.readable(view)), name: view.name, link: linkOf(view) };
    }
  }
}

/** The link for people who can't scan, without its scheme. */
const linkOf = ({ short_url: link }: QrCodeView): string =>
  (link ?? '').replace(/^https?:\/\//, '');
