import type { QrParts } from '../compose.ts';
import type { QrCodeView } from '../schemas.ts';
import { createToView } from './views.ts';

const pageSize = 100;

/** Reads many codes for files, without their scans. */
export function createCodeReader(parts: Pick<QrParts, 'db' | 'clock' | 'baseUrl'>) {
  const { db } = parts;
  const toView = createToView(parts);
  return { ofIds, ofBatch };

  /** The codes with these ids, in their order. Unknown ids are left out. */
  async function* ofIds(ids: readonly string[]): AsyncGenerator<QrCodeView> {
    for (let at = 0; at < ids.length; at += pageSize) {
      const page = ids.slice(at, at + pageSize);
      const rows = await db.selectFrom('qr_codes').selectAll().where('id', 'in', page).execute();
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const id of page) {
        const row = found.get(id);
        if (row !== undefined) yield toView({ ...row });
      }
    }
  }

  /** The codes that were created from a file, oldest first. */
  async function* ofBatch(batchId: string): AsyncGenerator<QrCodeView> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await db
        .selectFrom('qr_codes')
        .selectAll()
        .where('batch_id', '=', batchId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute();
      for (const row of rows) yield toView({ ...row });
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) return;
      after = last.id;
    }
  }
}
