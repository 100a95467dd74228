import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Lifetime } from './lifetime.ts';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const mebibyte = 1024 ** 2;

/**
 * Returns the fields of /proc/PID/stat from the third (state) on: the second may contain spaces.
 */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** CPU time of a process with all its threads so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(found?.[1] ?? 0) * 1024) / mebibyte;
}

/**
 * Measures the busy CPU cores of this machine, all programs, from now until the returned function
 * is called.
 */
export function watchMachine(): () => number {
  const read = () =>
    readFileSync('/proc/stat', 'utf8').split('\n', 1).join('').split(/\s+/).slice(1, 9).map(Number);
  const busy = ([
    user = 0,
    nice = 0,
    system = 0,
    _idle,
    _wait,
    irq = 0,
    softirq = 0,
    steal = 0,
  ]: number[]) => (user + nice + system + irq + softirq + steal) / ticksPerSecond;
  const [began, before] = [performance.now(), busy(read())];
  return () => (busy(read()) - before) / ((performance.now() - began) / 1000);
}

/** Processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => {
      try {
        return Number(statFields(other)[1]) === pid;
      } catch {
        return false;
      }
    });
}

/** Measures the CPU cores a process uses from now until the returned function is called. */
export function watchCpu(pid: number): () => number {
  const [began, cpu] = [performance.now(), cpuSeconds(pid)];
  return () => (cpuSeconds(pid) - cpu) / ((performance.now() - began) / 1000);
}

/**
 * Starts one of bench/programs as a child process. Returns it with the line of JSON that it prints
 * when it is ready. It exits when its stdin ends. There is no IPC channel: a child with one answers
 * a quarter fewer requests.
 */
export async function startProgram(
  lifetime: Lifetime,
  name: string,
  args: string[] = [],
  settings: Record<string, string> = {},
) {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A process started with --inspect prints these lines repeatedly.
  createInterface(child.stderr).on('line', (line) => {
    if (!/^(Debugger |For help, see: https:\/\/nodejs)/.test(line)) console.error(line);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await exited;
  }
  lifetime.atEnd(stop);
  const lines = createInterface(child.stdout);
  async function nextLine(): Promise<unknown> {
    const line = await Promise.race([
      new Promise<string>((resolve) => lines.once('line', resolve)),
      exited.then(() => Promise.reject(new Error(`${name} ended before it answered`))),
    ]);
    return JSON.parse(line);
  }
  const message = await nextLine();
  /** Sends a line, and returns the parsed line of JSON that answers it. */
  const ask = (line: string): Promise<unknown> => {
    child.stdin.write(`${line}\n`);
    return nextLine();
  };
  return { pid: child.pid ?? 0, message, ask, stop };
}
