import type { Database } from '../../../platform/database/database.ts';
import type { QrCodeView } from '../schemas.ts';
import type { createToView } from './code-rows.ts';

export interface CodeReaderOptions {
  db: Database;
  toView: ReturnType<typeof createToView>;
}

const pageSize = 100;

/** Reads many codes for files, without their scans. */
export function createCodeReader({ db, toView }: CodeReaderOptions) {
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

  return {
    /** The codes with these ids, in their order. Unknown ids are left out. */
    ofIds,
    /** The codes that were created from a file, oldest first. */
    ofBatch,
  };
}

export type CodeReader = ReturnType<typeof createCodeReader>;
