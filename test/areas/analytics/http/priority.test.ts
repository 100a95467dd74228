import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';

await sharedApp();

/** Returns the nice value of a thread of this process (proc(5), field 19 of `stat`). */
function niceOf(thread: number): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

it.runIf(process.platform === 'linux')(
  'the event store thread has a lower priority than the thread that answers requests',
  () => {
    const threads = readdirSync('/proc/self/task').map(Number);
    const own = niceOf(process.pid);
    expect(threads.map(niceOf)).toContain(own + 5);
  },
);
