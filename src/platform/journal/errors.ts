import { encodePosition, type Position } from './position.ts';

const messages = {
  full: 'the journal could not write to its disk',
  backlog: 'the reader is too far behind',
  overloaded: 'too many bytes are waiting to be written',
  closed: 'the journal is closed',
  unreadable: 'the journal folder contains data that this version cannot read',
};

/**
 * A refused journal operation. `full`: the write failed (no space, quota, I/O error; `cause` is the
 * system's error). `backlog`, `overloaded`: a limit was reached. `closed`: after `close`.
 * `unreadable`: from `openJournal` only. A refused record is in no file.
 */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: keyof typeof messages;

  constructor(code: keyof typeof messages, cause?: unknown) {
    super(messages[code], { cause });
    this.code = code;
  }
}

/** The bytes at `position` are damaged. Reopening the journal sets them aside. */
export class JournalCorruptError extends Error {
  override readonly name = 'JournalCorruptError';
  readonly position: Position;

  constructor(position: Position, what: string) {
    super(`journal ${encodePosition(position)}: ${what}`);
    this.position = position;
  }
}
