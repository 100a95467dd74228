import { posix } from 'node:path';
import { root } from './paths.mjs';

const listed = 10;
/** Seconds that a file of the normal suite may take. */
const limit = 10;

/** A reporter of vitest that prints the slowest files of the run. */
export default class SlowestFiles {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { duration, importDurations } = module.diagnostic();
      // Tests, hooks and the set-up at the top of the file. Imports that all files of a worker
      // share would count for the first of them.
      const setUp = importDurations[module.moduleId]?.selfTime ?? 0;
      return { path: posix.relative(root, module.moduleId), seconds: (duration + setUp) / 1000 };
    });
    const isNormal = process.env.TEST_SUITE === 'normal';
    console.log(slowestLines(files, isNormal ? limit : Infinity).join('\n'));
  }
}

/**
 * Returns lines that list the ten slowest files, and warn of those that take more than `limit`
 * seconds.
 *
 * @param {{ path: string, seconds: number }[]} files
 * @param {number} limit
 * @returns {string[]}
 */
export function slowestLines(files, limit) {
  const sorted = [...files].sort((a, b) => b.seconds - a.seconds);
  const slow = sorted.filter(({ seconds }) => seconds > limit).map(({ path }) => path);
  return [
    'Slowest files, in seconds:',
    ...sorted
      .slice(0, listed)
      .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} ${path}`),
    ...(slow.length === 0
      ? []
      : [
          `over ${limit} s: ${slow.join(', ')}; ` +
            'split it, make its set-up cheaper, or move it to the slow suite',
        ]),
  ];
}
