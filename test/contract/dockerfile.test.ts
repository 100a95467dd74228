import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/\\\n/g, '');
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
const [build = '', image = ''] = text.split(/^FROM /m).slice(1);

/** Returns the source paths in a stage's COPY lines. */
const sourcesOf = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?:--from=\S+ )?(.+)$/gm)].flatMap(([, paths = '']) =>
    paths.trim().split(/\s+/).slice(0, -1),
  );

describe('the image', () => {
  it('is built from files that exist and are not in .dockerignore', () => {
    const sources = sourcesOf(build);
    expect(sources).toEqual(['package.json', 'package-lock.json', '.npmrc', '.']);
    expect(
      sources.filter((path) => !existsSync(join(root, path)) || ignored.includes(path)),
    ).toEqual([]);
    for (const needed of ['src', 'scripts', 'docs', 'public', 'tsconfig.json'])
      expect({
        needed,
        existsSync: existsSync(join(root, needed)),
        includes: ignored.includes(needed),
      }).toEqual({ needed, existsSync: true, includes: false });
  });

  it('is built without local files, tests, benchmarks and git data', () => {
    for (const path of [
      '.git',
      '.env',
      '.env.*',
      'node_modules',
      'dist',
      'data',
      'data-demo*',
      'test',
      'bench',
      '*.log',
    ])
      expect(ignored).toContain(path);
  });

  it('contains only what the service needs to run', () => {
    expect(sourcesOf(image)).toEqual([
      '/app/package.json',
      '/app/node_modules',
      '/app/public',
      '/app/dist',
    ]);
    expect(build).toMatch(/npm run build && npm prune --omit=dev/);
  });

  it('runs as an unprivileged user and has a health check', () => {
    expect(image).toMatch(/^USER node\n/m);
    expect(image.indexOf('USER node')).toBeLessThan(
      image.indexOf('CMD ["node", "dist/server.js"]'),
    );
    expect(image).toMatch(/^HEALTHCHECK .*\/api\/health\/live/m);
  });
});
