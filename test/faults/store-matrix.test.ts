import { describe, expect, test, vi } from 'vitest';
import { findPostgres } from '../support/postgres.ts';
import { ask, asAdmin, type Service, storedIds } from './ingest-service.ts';
import {
  type Fault,
  postgresAndDiskFaults,
  redisFaults,
  startWithStores,
  type WithStores,
} from './store-faults.ts';
import {
  askOnce,
  type Outcome,
  prepare,
  type Surface,
  surfacesOf,
  type Visit,
} from './surfaces.ts';

/** True when `/api/health` reports that this check fails. */
async function isFailing(port: number, check: string): Promise<boolean> {
  const { text } = await ask(port, '/api/health', { headers: asAdmin });
  const { checks = {} } = JSON.parse(text) as { checks?: Record<string, { status: string }[]> };
  return checks[check]?.[0]?.status === 'fail';
}

type Outcomes = ReadonlyMap<string, Outcome>;

/** Asks for everything at once: what needs no store must not wait for what hangs. */
async function askAll(surfaces: readonly Surface[]): Promise<Outcomes> {
  return new Map(
    await Promise.all(
      surfaces.map(async (surface) => [surface.name, await askOnce(surface)] as const),
    ),
  );
}

/** Waits until no answer is 503, which a service that has just started may give under load. */
async function askWhenWell(surfaces: readonly Surface[]): Promise<Outcomes> {
  return vi.waitFor(
    async () => {
      const outcomes = await askAll(surfaces);
      for (const [name, { status }] of outcomes)
        expect({ name, status }).not.toEqual({ name, status: 503 });
      return outcomes;
    },
    { timeout: 45_000, interval: 250 },
  );
}

/** Returns what is wrong with an answer under this fault; undefined when it is as promised. */
function brokenPromise(
  { kind }: Surface,
  { status, retryAfter }: Outcome,
  baseline: Outcome,
  fault: Fault,
): string | undefined {
  if (kind === 'ingest' && fault.refusesEvents === true && status !== 200)
    return status === 503 && retryAfter !== undefined
      ? undefined
      : 'should be 503 with Retry-After';
  if (kind === 'always' || kind === 'ingest')
    return status === baseline.status ? undefined : `should be ${baseline.status}`;
  if (status === baseline.status) return undefined;
  if (status !== 503) return `should be ${baseline.status} or 503`;
  return retryAfter === undefined ? '503 without Retry-After' : undefined;
}

const tableOf = (names: readonly string[], columns: ReadonlyMap<string, Outcomes>): string =>
  [
    ['', ...columns.keys()],
    ['---', ...[...columns.keys()].map(() => '---')],
    ...names.map((name) => [
      name,
      ...[...columns.values()].map((outcomes) => {
        const found = outcomes.get(name);
        return found === undefined
          ? ''
          : `${found.status}${found.ms > 1000 ? ` (${(found.ms / 1000).toFixed(1)} s)` : ''}`;
      }),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

async function waitForRecovery(surfaces: readonly Surface[], baseline: Outcomes): Promise<number> {
  const began = performance.now();
  await vi.waitFor(
    async () => {
      const now = await askAll(surfaces);
      for (const { name } of surfaces)
        expect({ name, status: now.get(name)?.status }).toEqual({
          name,
          status: baseline.get(name)?.status,
        });
    },
    { timeout: 45_000, interval: 250 },
  );
  return performance.now() - began;
}

async function countLost(
  { port }: Service,
  { answered }: Visit,
): Promise<{ lost: number; doubled: number }> {
  const sent = [...answered];
  let stored: string[] = [];
  await vi
    .waitFor(
      async () => {
        stored = await storedIds(port);
        expect(sent.filter((id) => !stored.includes(id))).toEqual([]);
      },
      { timeout: 30_000, interval: 250 },
    )
    .catch(() => undefined);
  return {
    lost: sent.filter((id) => !stored.includes(id)).length,
    doubled: stored.length - new Set(stored).size,
  };
}

/** What a service did while its stores failed one after another. */
interface Matrix {
  names: string[];
  /** The outcomes by fault. */
  columns: Map<string, Outcomes>;
  broken: string[];
  recovery: string[];
  answered: number;
  lost: number;
  doubled: number;
}

/** Resolves when `/api/health` reports the fault. Rejects when it does not within 20 s. */
async function waitUntilSeen(port: number, { name, seenBy }: Fault): Promise<void> {
  if (seenBy === '') return;
  await vi.waitFor(
    async () =>
      expect({ name, isFailing: await isFailing(port, seenBy) }).toEqual({ name, isFailing: true }),
    { timeout: 20_000, interval: 100 },
  );
}

/** Returns what is wrong with the answers under this fault. */
function brokenPromises(
  surfaces: readonly Surface[],
  baseline: Outcomes,
  fault: Fault,
  outcomes: readonly Outcomes[],
): string[] {
  return surfaces.flatMap((surface) =>
    outcomes.flatMap((each) => {
      const outcome = each.get(surface.name);
      if (outcome === undefined) return [];
      const expected = baseline.get(surface.name) ?? outcome;
      const problem = brokenPromise(surface, outcome, expected, fault);
      return problem === undefined
        ? []
        : [
            `${fault.name}: ${surface.name} ${problem}, ` +
              `is ${outcome.status} after ${outcome.ms} ms`,
          ];
    }),
  );
}

/** Lets the store fail and recover. Returns the outcomes meanwhile. */
async function runFault(
  port: number,
  surfaces: readonly Surface[],
  fault: Fault,
  { columns, broken, recovery }: Matrix,
  baseline: Outcomes,
): Promise<void> {
  await fault.begin();
  // The first requests discover the fault; the promise holds for them too.
  const first = await askAll(surfaces.filter(({ kind }) => kind === 'ingest' || kind === 'always'));
  await waitUntilSeen(port, fault).catch(() =>
    broken.push(`${fault.name}: ${fault.seenBy} does not see it`),
  );
  const outcomes = await askAll(surfaces);
  columns.set(fault.name, outcomes);
  broken.push(...brokenPromises(surfaces, baseline, fault, [first, outcomes]));
  const expected = fault.refusesEvents === true ? 503 : 200;
  if (outcomes.get('ready')?.status !== expected)
    broken.push(`${fault.name}: ready should be ${expected}`);
  await fault.end();
  const back = await waitForRecovery(surfaces, baseline).catch((error: unknown) => {
    broken.push(
      `${fault.name}: not back: ` +
        `${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    );
    return NaN;
  });
  recovery.push(`${fault.name}: ${(back / 1000).toFixed(1)} s`);
}

/** Starts a service and lets its stores fail one after another. */
async function runMatrix(faultsOf: (all: WithStores) => Fault[]): Promise<Matrix> {
  const all = await startWithStores();
  const { port } = all.service;
  const visit = await prepare(port, 'boss@example.com');
  const surfaces = surfacesOf(visit);
  const baseline = await askWhenWell(surfaces);
  const matrix: Matrix = {
    names: surfaces.map(({ name }) => name),
    columns: new Map([['all is well', baseline]]),
    broken: [],
    recovery: [],
    answered: 0,
    lost: 0,
    doubled: 0,
  };
  for (const fault of faultsOf(all)) await runFault(port, surfaces, fault, matrix, baseline);
  const counts = await countLost(all.service, visit);
  return Object.assign(matrix, counts, { answered: visit.answered.size });
}

describe.skipIf(findPostgres() === undefined)('a store that fails', () => {
  test('fails only what needs it, with 503; everything recovers and no event is lost', async () => {
    // Most of the time is waiting for timeouts, so two services fail side by side.
    const both = await Promise.all([runMatrix(redisFaults), runMatrix(postgresAndDiskFaults)]);
    const columns = new Map(both.flatMap((each) => [...each.columns]));
    const sum = (name: 'answered' | 'lost' | 'doubled') => both[0][name] + both[1][name];
    console.log(
      `${tableOf(both[0].names, columns)}\n\n` +
        `back after: ${both.flatMap(({ recovery }) => recovery).join(', ')}\n` +
        `events answered ${sum('answered')}, lost ${sum('lost')}, doubled ${sum('doubled')}`,
    );
    expect(both.flatMap(({ broken }) => broken)).toEqual([]);
    expect({ lost: sum('lost'), doubled: sum('doubled') }).toEqual({ lost: 0, doubled: 0 });
  });
});
