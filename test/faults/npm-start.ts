import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { adminKey, type Ending } from './ingest-service.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Returns the ids of the processes whose working directory is `folder`, such as a redis-server with
 * its data there. Linux only.
 */
export function processesIn(folder: string): number[] {
  const isInFolder = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isInFolder(name))
    .map(Number);
}

/**
 * Runs `npm start` as a terminal does: npm, its shell and the service in a process group of their
 * own. Resolves when the service listens.
 */
export async function npmStart(env: Record<string, string>) {
  const settings = {
    NODE_ENV: 'test',
    PORT: '0',
    RATE_LIMIT: 'off',
    ADMIN_API_KEY: adminKey,
    NO_UPDATE_NOTIFIER: '1',
    npm_config_loglevel: 'error',
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    ...env,
  };
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: settings,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const group = npm.pid ?? 0;
  // `close`, not `exit`: it fires when no process holds the output anymore, so it also waits for a
  // service that outlives npm.
  const closed = new Promise<Ending>((resolve) =>
    npm.once('close', (code, signal) => resolve({ code, signal })),
  );
  const signal = (name: NodeJS.Signals): void => void process.kill(-group, name);
  onTestFinished(() => {
    try {
      signal('SIGKILL');
    } catch {
      // The whole group has ended.
    }
  });
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: npm.stdout }).on('line', (line) => lines.push(line));
    createInterface({ input: npm.stderr }).on('line', (line) => {
      lines.push(line);
      const found = /http:\/\/[^/:]+:(\d+)\/analytics\/track/.exec(line)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void closed.then(() =>
      reject(new Error(`npm start ended before the service was ready:\n${lines.join('\n')}`)),
    );
  });
  return { port, signal, closed, output: () => lines.join('\n') };
}
