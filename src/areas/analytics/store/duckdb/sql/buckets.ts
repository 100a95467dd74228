interface Run {
  index: number;
  start: number;
  step: number;
}

/** Consecutive buckets of equal length, merged into runs. */
function runsOf(buckets: readonly number[], end: number): Run[] {
  const runs: Run[] = [];
  for (const [index, start] of buckets.entries()) {
    const step = Math.max(1, (buckets[index + 1] ?? end) - start);
    const last = runs.at(-1);
    if (last?.step !== step) runs.push({ index, start, step });
  }
  return runs;
}

/**
 * SQL for the index of the bucket that a time falls into. `buckets` are their starts in Unix ms,
 * `end` is where the last one ends. Buckets may differ in length, as days of 23 and 25 hours do.
 */
export function bucketIndex(column: string, buckets: readonly number[], end: number): string {
  const time = `epoch_ms(${column})`;
  const runs = runsOf(buckets, end);
  const value = ({ index, start, step }: Run) => `(${index} + (${time} - ${start}) // ${step})`;
  const branches = runs
    .slice(0, -1)
    .map((run, at) => `WHEN ${time} < ${runs[at + 1]?.start ?? end} THEN ${value(run)}`);
  const last = runs.at(-1);
  if (last === undefined) throw new RangeError('a series needs a bucket');
  return branches.length === 0 ? value(last) : `CASE ${branches.join(' ')} ELSE ${value(last)} END`;
}
