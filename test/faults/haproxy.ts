import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/redis-server.ts';
import { ask, temporaryFolder } from './ingest-service.ts';

/** Returns the path of haproxy, or undefined: use it with `describe.skipIf`. */
export function findHaproxy(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'haproxy')).find((path) => existsSync(path));
}

type ReplicaName = 'one' | 'two' | 'three';

interface Ports {
  main: number;
  probes: number;
}

/** Returns the ports of a replica and its settings, in a folder of its own. */
export async function prepareReplica(env: Record<string, string>) {
  const ports = { main: await freePort(), probes: await freePort() };
  const settings = {
    DATA_DIR: await temporaryFolder('replica-'),
    PORT: String(ports.main),
    HEALTH_PORT: String(ports.probes),
    AUTH_SECRET: 'hW3k9QmT7xRb2LwYp8NcD4sHfJ6gAe1UzX5v',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...env,
  };
  return { ports, env: settings };
}

/**
 * Returns the example in docs/operations.md for two or three replicas, with its ports replaced.
 */
function exampleWith(replicas: 2 | 3, ports: ReadonlyMap<string, number>): string {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const example = [...text.matchAll(/```haproxy\n([\s\S]+?)```/g)][replicas - 2]?.[1];
  if (example === undefined)
    throw new Error('docs/operations.md has no such haproxy example anymore');
  return [...ports]
    .reduce((config, [from, to]) => {
      if (!config.includes(from))
        throw new Error(`the haproxy example has no port ${from} anymore`);
      return config.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), `{${to}}`);
    }, example)
    .replaceAll(/\{(\d+)\}/g, '$1');
}

const documentedPorts = (at: number) => [`${3 + at}000`, `${3 + at}100`] as const;

/**
 * Starts haproxy with the documented configuration in front of two replicas, or of three of which
 * only the first one runs analytics. It ends with the test.
 */
export async function startHaproxy(...replicas: [Ports, Ports] | [Ports, Ports, Ports]) {
  const dir = await mkdtemp(join(tmpdir(), 'test-haproxy-'));
  const [port, stats] = [await freePort(), await freePort()];
  const file = join(dir, 'haproxy.cfg');
  const ports = replicas.flatMap(
    ({ main, probes }, at) =>
      [
        [documentedPorts(at)[0], main],
        [documentedPorts(at)[1], probes],
      ] as const,
  );
  await writeFile(
    file,
    `${exampleWith(replicas.length, new Map([['8080', port], ...ports]))}\nfrontend figures\n` +
      `  bind 127.0.0.1:${stats}\n  stats enable\n  stats uri /\n`,
  );
  const child = spawn(findHaproxy() ?? 'haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(dir, { recursive: true, force: true });
  });

  /** Whether haproxy considers the replica up, and how many requests it has sent there. */
  async function server(name: ReplicaName): Promise<{ isUp: boolean; requests: number }> {
    const { text } = await ask(stats, '/;csv');
    const row = text
      .split('\n')
      .map((line) => line.split(','))
      .find(([proxy, found]) => proxy === 'service' && found === name);
    return { isUp: row?.[17] === 'UP', requests: Number(row?.[7]) };
  }

  return {
    port,
    server,
    /** Resolves when haproxy considers the replica up. */
    untilUp: (name: ReplicaName): Promise<void> =>
      vi.waitFor(async () => expect((await server(name)).isUp, output).toBe(true), {
        timeout: 60_000,
        interval: 50,
      }),
  };
}
