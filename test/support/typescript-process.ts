import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles a file of test/support, so that tests can run it as separate processes (Node 20 does not
 * run TypeScript). `start` resolves with the first line of output, and with `lines`, which grows;
 * `remove` kills processes that still run and deletes the bundle.
 */
export async function bundleProgram(source: string) {
  const folder = await mkdtemp(join(root, 'node_modules', '.test-'));
  const outfile = join(folder, 'program.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [join('test/support', source)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const started: ChildProcess[] = [];
  return {
    start: (...args: string[]) => startProgram(outfile, args, started),
    remove: async () => {
      for (const child of started) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startProgram(file: string, args: string[], started: ChildProcess[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  // After its exit, with the last line read.
  const closed = once(child, 'close');
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const firstLine = await new Promise<string>((resolve, reject) => {
    output.once('line', resolve).once('close', () => reject(new Error('the program said nothing')));
  });
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await closed;
  };
  return { firstLine, lines, pid: child.pid ?? 0, kill };
}
