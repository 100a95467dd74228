interface Run {
  index: number;
  start: number;
  step: number;
}

/** Merges consecutive buckets of equal length into runs. */
function mergeRuns(buckets: readonly number[], end: number): Run[] {
  const runs: Run[] = [];
  for (const [index, start] of buckets.entries()) {
    const step = Math.max(1, (buckets[index + 1] ?? end) - start);
    const last = runs.at(-1);
    if (last?.step !== step) runs.push({ index, start, step });
  }
  return runs;
}

/**
 * Returns SQL for the index of the bucket that a time falls into. `buckets` are the bucket starts
 * and `end` is the end of the last one, in Unix ms. Buckets may differ in length, as days do when
 * clocks change.
 */
export function bucketIndex(column: string, buckets: readonly number[], end: number): string {
  const time = `epoch_ms(${column})`;
  const runs = mergeRuns(buckets, end);
  const value = ({ index, start, step }: Run) => `(${index} + (${time} - ${start}) // ${step})`;
  const branches = runs
    .slice(0, -1)
    .map((run, at) => `WHEN ${time} < ${runs[at + 1]?.start ?? end} THEN ${value(run)}`);
  const last = runs.at(-1);
  if (last === undefined) throw new RangeError('a series needs a bucket');
  return branches.length === 0 ? value(last) : `CASE ${branches.join(' ')} ELSE ${value(last)} END`;
}
