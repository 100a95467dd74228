import type { Position } from '../../../../platform/journal/position.ts';
import { createJournalReader } from '../../../../platform/journal/reader.ts';
import { parseRecord } from '../../store/journal-record.ts';

export interface JournalId {
  siteId: number;
  id: string;
  /** Unix ms. */
  receivedAt: number;
}

const bytesPerRead = 64 * 1024;

function readIds(bytes: Buffer): JournalId[] {
  if (!bytes.includes('"k":1')) return [];
  const record = parseRecord(bytes);
  if (record.kind !== 'events') return [];
  return record.e
    .filter(({ k }) => k !== undefined)
    .map(({ s: siteId, i: id }) => ({ siteId, id, receivedAt: record.r }));
}

/** Yields the client-chosen ids between two journal positions, record by record. */
export function* journalIds(dir: string, from: Position, upTo: Position): Generator<JournalId[]> {
  const reader = createJournalReader({ dir });
  try {
    for (const { records } of reader.readAll(from, upTo, bytesPerRead)) {
      for (const bytes of records) yield readIds(bytes);
    }
  } finally {
    reader.close();
  }
}
