import { JournalError } from './errors.ts';
import { createGroup, type Group } from './group.ts';

export interface GroupCommitDeps {
  write: (group: Group) => Promise<void>;
  onCommit: (group: Group, milliseconds: number) => void;
  onFailure: (error: JournalError) => void;
}

/** Milliseconds that a record without a waiting caller may stay in memory, to share a write. */
const lingerMs = 10;

const asJournalError = (error: unknown): JournalError =>
  error instanceof JournalError ? error : new JournalError('full', error);

interface Commits extends GroupCommitDeps {
  tasks: (() => Promise<void>)[];
  collecting: Group;
  writing: Group | undefined;
  /** Buffer of the last written group, reused for the next one. */
  spareBuffer: Buffer<ArrayBuffer> | undefined;
  isRunning: boolean;
  /** A caller waits for a record of the collecting group. */
  isAwaited: boolean;
  timer: NodeJS.Timeout | undefined;
}

function nextGroup(commits: Commits): Group {
  const group = commits.collecting;
  commits.collecting = createGroup(commits.spareBuffer);
  commits.spareBuffer = undefined;
  commits.isAwaited = false;
  clearTimeout(commits.timer);
  commits.timer = undefined;
  return group;
}

function fail(commits: Commits, group: Group, error: JournalError): void {
  group.reject(error);
  if (commits.collecting.records() > 0) nextGroup(commits).reject(error);
  commits.onFailure(error);
}

async function commit(commits: Commits, group: Group): Promise<void> {
  const startedAt = performance.now();
  commits.writing = group;
  const error = await commits.write(group).then(() => undefined, asJournalError);
  if (error === undefined) group.resolve();
  else fail(commits, group, error);
  commits.writing = undefined;
  commits.spareBuffer = group.memory();
  if (error === undefined) commits.onCommit(group, performance.now() - startedAt);
}

async function run(commits: Commits): Promise<void> {
  while (commits.isAwaited || commits.tasks.length > 0) {
    if (commits.collecting.records() > 0) await commit(commits, nextGroup(commits));
    await commits.tasks.shift()?.();
  }
  commits.isRunning = false;
}

/** `setImmediate` runs after all socket callbacks of this turn, so their records share a write. */
function schedule(commits: Commits): void {
  if (commits.isRunning) return;
  commits.isRunning = true;
  setImmediate(() => void run(commits));
}

function commitSoon(commits: Commits): void {
  commits.isAwaited = commits.collecting.records() > 0;
  schedule(commits);
}

/**
 * Collects records during a write and writes them together when it is done. Most records have a
 * waiting caller and are not delayed by a timer; a group with only `mayLinger` records stays open
 * for ten milliseconds.
 */
export function createGroupCommit(deps: GroupCommitDeps) {
  const commits: Commits = {
    ...deps,
    tasks: [],
    collecting: createGroup(),
    writing: undefined,
    spareBuffer: undefined,
    isRunning: false,
    isAwaited: false,
    timer: undefined,
  };
  return {
    /** Resolves when the record is durable. All records of a group share one promise. */
    append(payload: string | Uint8Array, mayLinger: boolean): Promise<void> {
      commits.collecting.add(payload);
      if (mayLinger) commits.timer ??= setTimeout(commitSoon, lingerMs, commits);
      else commitSoon(commits);
      return commits.collecting.durable;
    },
    /** Runs `task` between two writes, after everything appended so far. */
    between(task: () => Promise<void>): Promise<void> {
      return new Promise((resolve, reject) => {
        commits.tasks.push(() => task().then(resolve, reject));
        schedule(commits);
      });
    },
    /** Settles with the last record appended so far. */
    settled(): Promise<void> {
      const { collecting, writing } = commits;
      if (collecting.records() === 0) return writing?.durable ?? Promise.resolve();
      commitSoon(commits);
      return collecting.durable;
    },
    pendingBytes: (): number => commits.collecting.bytes() + (commits.writing?.bytes() ?? 0),
  };
}
