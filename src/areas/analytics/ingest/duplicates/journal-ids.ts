import type { Position } from '../../../../platform/journal/position.ts';
import { createJournalReader } from '../../../../platform/journal/reader.ts';
import { parseRecord } from '../journal-record.ts';

export interface JournalId {
  /** Number of the site. */
  site: number;
  id: string;
  /** Unix ms. */
  receivedAt: number;
}

const bytesPerRead = 64 * 1024;

function idsOf(bytes: Buffer): JournalId[] {
  if (!bytes.includes('"k":1')) return [];
  const record = parseRecord(bytes);
  if (record.kind !== 'events') return [];
  return record.e
    .filter(({ k }) => k !== undefined)
    .map(({ s: site, i: id }) => ({ site, id, receivedAt: record.r }));
}

/**
 * The client-chosen ids of the events in the journal between two positions, those of one record at
 * a time.
 */
export function* journalIds(dir: string, from: Position, upTo: Position): Generator<JournalId[]> {
  const reader = createJournalReader({ dir });
  try {
    for (const { records } of reader.readAll(from, upTo, bytesPerRead)) {
      for (const bytes of records) yield idsOf(bytes);
    }
  } finally {
    reader.close();
  }
}
