import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freshApp } from '../../support/app.ts';
import { listen } from '../../support/sockets.ts';
import { startAuthorizingProxy } from './authorizing-proxy.ts';
import { withFixtures } from './conformance/fixtures.ts';
import { runSuite } from './conformance-suite.ts';

const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
const app = await freshApp({ extendMcp: withFixtures });
const proxy = await startAuthorizingProxy(await listen(app));
const url = `http://localhost:${proxy.port}/api/v2/mcp`;
afterAll(async () => {
  proxy.close();
  await app.close();
  await rm(folder, { recursive: true });
});

/** The scenarios that the suite requires of a server of this revision. */
async function requiredOf(revision: string): Promise<string[]> {
  const package_ = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/conformance/package.json',
  );
  const text = await readFile(join(package_, '..', 'requirements', `${revision}.yaml`), 'utf8');
  const [, server = ''] = /^server:\n((?: {2}- .*\n)+)/m.exec(text) ?? [];
  return [...server.matchAll(/- (\S+)/g)].map(([, name = '']) => name);
}

/** Parses the summary: the result of each scenario. */
const summaryOf = (output: string) =>
  new Map(
    [...output.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed$/gm)].map(
      ([, mark, name = '', passed, failed]) => [
        name,
        { isPassed: mark === '✓', passed: Number(passed), failed: Number(failed) },
      ],
    ),
  );

describe('the conformance suite of the protocol', () => {
  it.each([
    ['2026-07-28', 37],
    ['2025-11-25', 30],
  ] as const)(
    '%s: all %i required scenarios pass',
    async (revision, count) => {
      const { code, output } = await runSuite(
        ['server', '--url', url, '--requirements', revision],
        folder,
      );
      const [required, summary] = [await requiredOf(revision), summaryOf(output)];
      const passed = required.filter((name) => summary.get(name)?.isPassed === true);
      const checks = required.reduce((sum, name) => sum + (summary.get(name)?.passed ?? 0), 0);
      const others = [...summary].filter(([name]) => !required.includes(name));
      console.log(
        `${revision}: ${passed.length}/${required.length} required scenarios, ${checks} ` +
          `checks. Not scored: ${others
            .map(([name, { isPassed }]) => `${isPassed ? '✓' : '✗'} ${name}`)
            .join(', ')}`,
      );
      expect(required).toHaveLength(count);
      expect(passed).toEqual(required);
      expect(required.map((name) => [name, summary.get(name)?.failed])).toEqual(
        required.map((name) => [name, 0]),
      );
      expect(code).toBe(0);
    },
    240_000,
  );
});
