import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Journal,
  type JournalOptions,
  openJournal,
} from '../../../src/platform/journal/journal.ts';
import type { Position } from '../../../src/platform/journal/position.ts';
import { createJournalReader } from '../../../src/platform/journal/reader.ts';
import { segmentName } from '../../../src/platform/journal/format.ts';

/** What a journal reports whose files have no damage. */
export const undamaged = {
  cutBytes: 0,
  corruptFrames: 0,
  corruptBytes: 0,
  setAside: [],
  missingSegments: [],
};

/** A folder that is removed at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'journal-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'journal');
}

/** A journal that is closed at the end of the test. `errors` collects the reported errors. */
export async function testJournal(
  dir: string,
  options: Partial<JournalOptions> = {},
): Promise<Journal & { errors: unknown[] }> {
  const errors: unknown[] = [];
  const limits = { segmentSize: 1024 ** 2, backlogLimit: 1024 ** 3, pendingLimit: 64 * 1024 ** 2 };
  const journal = await openJournal({
    dir,
    ...limits,
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => journal.close());
  return { ...journal, errors };
}

/** The records between two positions, as text. */
export function readTexts(dir: string, from: Position, upTo: Position): string[] {
  const reader = createJournalReader({ dir });
  try {
    return [...reader.readAll(from, upTo)].flatMap(({ records }) => records.map(String));
  } finally {
    reader.close();
  }
}

/**
 * The records that a new process would find: opens a copy of the folder, as after a crash at this
 * moment.
 */
export async function textsAfterCrash(dir: string): Promise<string[]> {
  const copy = await temporaryFolder();
  await cp(dir, copy, { recursive: true });
  const journal = await testJournal(copy);
  return readTexts(copy, journal.start(), journal.position());
}

export const pathOf = (dir: string, segment: number): string => join(dir, segmentName(segment));
