import { describe, expect, it } from 'vitest';
import { importsOf } from '../../scripts/setup/imports.mjs';
import { codeOf, sourceFiles } from './source-files.ts';

type Import = ReturnType<typeof importsOf>[number];

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const paths = new Set(files.map(({ path }) => path));
const isOurs = (to: string): boolean => paths.has(to);
const areaOf = (path: string): string | undefined => /^areas\/([^/]+)\//.exec(path)?.[1];
const surfaceOf = (path: string): string | undefined => /^surfaces\/([^/]+)\//.exec(path)?.[1];
const nameOf = (path: string): string => path.split('/').at(-1) ?? '';
const show = ({ from, to }: Import): string => `${from} → ${to}`;
const offending = (rule: (each: Import) => boolean): string[] => imports.filter(rule).map(show);

describe('imports in src', () => {
  it('every relative import resolves to a file', () => {
    expect(offending(({ to }) => /\.tsx?$/.test(to) && !isOurs(to))).toEqual([]);
    expect(imports.length).toBeGreaterThan(300);
  });

  it('lib imports only lib', () => {
    expect(
      offending(({ from, to }) => from.startsWith('lib/') && isOurs(to) && !to.startsWith('lib/')),
    ).toEqual([]);
  });

  it('platform imports only lib and platform (and the type of the settings)', () => {
    const allowed = ({ to, isTypeOnly }: Import) =>
      /^(lib|platform)\//.test(to) || (to === 'config.ts' && isTypeOnly);
    expect(
      offending((each) => each.from.startsWith('platform/') && isOurs(each.to) && !allowed(each)),
    ).toEqual([]);
  });

  it('an area imports platform, lib, its own files, and only types from other areas', () => {
    const allowed = ({ from, to, isTypeOnly }: Import) =>
      /^(lib|platform)\//.test(to) ||
      areaOf(to) === areaOf(from) ||
      (isTypeOnly && (areaOf(to) !== undefined || to === 'config.ts'));
    expect(
      offending((each) => areaOf(each.from) !== undefined && isOurs(each.to) && !allowed(each)),
    ).toEqual([]);
  });

  it('folders of an area import one another in one direction, types included', () => {
    // They declare the context that folders are handed: folders may import its type.
    const contexts = new Set(['compose.ts', 'resources.ts']);
    const folderOf = (path: string): string | undefined => {
      const [, area, folder = ''] = path.split('/');
      return areaOf(path) === undefined || contexts.has(folder) ? undefined : `${area}/${folder}`;
    };
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      const [folder, other] = [folderOf(from), folderOf(to)];
      if (folder === undefined || other === undefined || folder === other) continue;
      if (areaOf(from) === areaOf(to) && isOurs(to))
        graph.set(folder, (graph.get(folder) ?? new Set()).add(other));
    }
    expect(graph.size).toBeGreaterThan(100);
    const isLow = (folder: string): boolean => {
      const below = [...(graph.get(folder) ?? [])];
      if (below.some((other) => graph.has(other))) return false;
      return graph.delete(folder);
    };
    while ([...graph.keys()].some(isLow));
    const circles = [...graph].map(([folder, others]) => `${folder} → ${[...others].join(', ')}`);
    expect(circles).toEqual([]);
  });

  it('a surface imports areas, platform, lib, and only types from other surfaces', () => {
    const allowed = ({ from, to, isTypeOnly }: Import) =>
      /^(lib|platform|areas)\//.test(to) ||
      surfaceOf(to) === surfaceOf(from) ||
      (isTypeOnly && (surfaceOf(to) !== undefined || to === 'config.ts'));
    expect(
      offending((each) => surfaceOf(each.from) !== undefined && isOurs(each.to) && !allowed(each)),
    ).toEqual([]);
  });

  it('a surface imports no store, route, job or plugin of an area', () => {
    const isInside = (to: string) =>
      /^areas\/.*\/(store|.*-store|routes.*|plugin|compose|jobs|migrations\/.*)\.ts$/.test(to);
    expect(
      offending(
        ({ from, to, isTypeOnly }) => surfaceOf(from) !== undefined && isInside(to) && !isTypeOnly,
      ),
    ).toEqual([]);
  });

  it('the app imports neither the server nor the commands', () => {
    expect(
      offending(({ from, to }) => from.startsWith('app/') && /^(server|main|commands\/)/.test(to)),
    ).toEqual([]);
  });

  it('browser code imports browser code, bundled packages and lib modules without imports', () => {
    const bundled = new Set([
      'web/tracker/vitals.ts web-vitals',
      'web/page/morph.ts idiomorph',
      'web/contact/main.ts altcha-lib',
      'web/contact/main.ts altcha-lib/algorithms/web/pbkdf2',
    ]);
    const isAlone = (path: string) =>
      path.startsWith('lib/') && imports.every(({ from }) => from !== path);
    expect(
      offending(
        ({ from, to }) =>
          from.startsWith('web/') &&
          !from.startsWith('web/graphql/') &&
          !to.startsWith('web/') &&
          !isAlone(to) &&
          !bundled.has(`${from} ${to}`),
      ),
    ).toEqual([]);
    expect(
      offending(
        ({ from, to }) => from.startsWith('web/graphql/') && isOurs(to) && !to.startsWith('web/'),
      ),
    ).toEqual([]);
    expect(offending(({ from, to }) => !from.startsWith('web/') && to.startsWith('web/'))).toEqual(
      [],
    );
  });

  it('routes and operations never touch stores', () => {
    const isRoute = (from: string) => /^(routes|operations)/.test(nameOf(from));
    const isStore = (to: string) =>
      /(^|\/)(store|stores|.*-store)\.ts$/.test(to) || /^platform\/(database|redis)\//.test(to);
    expect(
      offending(({ from, to, isTypeOnly }) => isRoute(from) && isStore(to) && !isTypeOnly),
    ).toEqual([]);
    expect(
      offending(
        ({ from, to }) =>
          isRoute(from) && areaOf(to) === areaOf(from) && nameOf(to).includes('store'),
      ),
    ).toEqual([]);
  });

  it('only routes, guards and request readers import Fastify', () => {
    const allowed = ['app/', 'platform/', 'commands/'];
    // The last names are modules that use a Fastify plugin in an instance of their own.
    const httpFiles = new RegExp(
      '^(plugin|routes.*|guards|authentication|encoding|request-context|any-method|' +
        String.raw`oauth-client|graphql-engine)\.tsx?$`,
    );
    const isFastify = (to: string) => /^(fastify|@fastify\/)/.test(to);
    expect(
      offending(
        ({ from, to }) =>
          isFastify(to) &&
          !allowed.some((place) => from.startsWith(place)) &&
          !httpFiles.test(nameOf(from)),
      ),
    ).toEqual([]);
    expect(
      offending(
        ({ from, to }) =>
          isFastify(to) && /^(service|store|jobs|schemas|operations)/.test(nameOf(from)),
      ),
    ).toEqual([]);
  });

  it('only the server and the commands read process.env or end the process', () => {
    const readers = files
      .filter(({ text }) =>
        /\bprocess\s*\.\s*(env|exit)\b|\bfrom 'node:process'/.test(codeOf(text)),
      )
      .map(({ path }) => path);
    expect(readers.filter((path) => path !== 'server.ts' && !path.startsWith('commands/'))).toEqual(
      [],
    );
    expect(readers).toContain('server.ts');
  });

  it('only main imports the server, nothing imports main, no lower layer the app', () => {
    expect(
      offending(({ from, to }) => (to === 'server.ts' && from !== 'main.ts') || to === 'main.ts'),
    ).toEqual([]);
    expect(
      offending(
        ({ from, to }) => to.startsWith('app/') && /^(areas|surfaces|lib|platform)\//.test(from),
      ),
    ).toEqual([]);
  });

  it('there are no cycles', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to, isTypeOnly } of imports)
      if (isOurs(to) && !isTypeOnly) edges.set(from, [...(edges.get(from) ?? []), to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    function visit(path: string, trail: readonly string[]): void {
      if (trail.includes(path))
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      else if (!done.has(path)) {
        for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
        done.add(path);
      }
    }
    for (const path of edges.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('importsOf', () => {
  it('finds every form of import and re-export', () => {
    const text = [
      "import a from './a.ts';",
      "import type { B } from '../b.ts';",
      "import { type C, type D } from './c.ts';",
      "import { type E, f } from 'e';",
      "import {\n  g,\n  h,\n} from './g.ts';",
      "export { i } from './i.ts';",
      "export type { J } from './j.ts';",
      "import './k.ts';",
      "await import('./l.ts')",
    ].join('\n');
    const found = importsOf({ path: 'areas/x/y.ts', text });
    expect(found.map(({ to, isTypeOnly }) => `${to} ${isTypeOnly ? 'type' : 'value'}`)).toEqual([
      'areas/x/a.ts value',
      'areas/b.ts type',
      'areas/x/c.ts type',
      'e value',
      'areas/x/g.ts value',
      'areas/x/i.ts value',
      'areas/x/j.ts type',
      'areas/x/k.ts value',
      'areas/x/l.ts value',
    ]);
  });
});
