import { JournalError } from './errors.ts';
import { createGroup, type Group } from './group.ts';

export interface GroupCommitDeps {
  put: (group: Group) => Promise<void>;
  onCommit: (group: Group, milliseconds: number) => void;
  onFailure: (error: JournalError) => void;
}

/** Milliseconds that a record nobody waits for may stay in memory, to share a write with others. */
const patience = 10;

const asJournalError = (error: unknown): JournalError =>
  error instanceof JournalError ? error : new JournalError('full', error);

/**
 * Collects records while a write is under way and writes them together when it is done. Somebody
 * waits for most of them, so no timer holds them up; only a group of nothing but patient records is
 * kept open for ten milliseconds.
 */
export function createGroupCommit({ put, onCommit, onFailure }: GroupCommitDeps) {
  const tasks: (() => Promise<void>)[] = [];
  let collecting = createGroup();
  let writing: Group | undefined;
  let spare: Buffer<ArrayBuffer> | undefined;
  let running = false;
  let awaited = false;
  let timer: NodeJS.Timeout | undefined;

  function nextGroup(): Group {
    const group = collecting;
    collecting = createGroup(spare);
    spare = undefined;
    awaited = false;
    clearTimeout(timer);
    timer = undefined;
    return group;
  }

  function fail(group: Group, error: JournalError): void {
    group.reject(error);
    if (collecting.records() > 0) nextGroup().reject(error);
    onFailure(error);
  }

  async function commit(group: Group): Promise<void> {
    const begun = performance.now();
    writing = group;
    const error = await put(group).then(() => undefined, asJournalError);
    if (error === undefined) group.resolve();
    else fail(group, error);
    writing = undefined;
    spare = group.memory();
    if (error === undefined) onCommit(group, performance.now() - begun);
  }

  async function run(): Promise<void> {
    while (awaited || tasks.length > 0) {
      if (collecting.records() > 0) await commit(nextGroup());
      await tasks.shift()?.();
    }
    running = false;
  }

  /**
   * `setImmediate` comes after all sockets of this turn have been read, so that their records share
   * a write.
   */
  function wake(): void {
    if (running) return;
    running = true;
    setImmediate(() => void run());
  }

  function hurry(): void {
    awaited = collecting.records() > 0;
    wake();
  }

  return {
    /** Resolves when the record is durable. All records of a group share one promise. */
    append(payload: string | Uint8Array, patient: boolean): Promise<void> {
      collecting.add(payload);
      if (patient) timer ??= setTimeout(hurry, patience);
      else hurry();
      return collecting.durable;
    },
    /** Runs `task` between two writes, after what has been appended so far. */
    between(task: () => Promise<void>): Promise<void> {
      return new Promise((resolve, reject) => {
        tasks.push(() => task().then(resolve, reject));
        wake();
      });
    },
    /** Settles as the last record appended so far does. */
    settled(): Promise<void> {
      if (collecting.records() === 0) return writing?.durable ?? Promise.resolve();
      hurry();
      return collecting.durable;
    },
    pendingBytes: (): number => collecting.bytes() + (writing?.bytes() ?? 0),
  };
}
