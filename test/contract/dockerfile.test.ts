import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/\\\n/g, '');
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
const [build = '', image = ''] = text.split(/^FROM /m).slice(1);

/** What the COPY lines of a stage take, without the place where it goes. */
const sourcesOf = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?:--from=\S+ )?(.+)$/gm)].flatMap(([, paths = '']) =>
    paths.trim().split(/\s+/).slice(0, -1),
  );

describe('the image', () => {
  it('is built from files that are there and not left out', () => {
    const sources = sourcesOf(build);
    expect(sources).toEqual(['package.json', 'package-lock.json', '.npmrc', '.']);
    expect(
      sources.filter((path) => !existsSync(join(root, path)) || ignored.includes(path)),
    ).toEqual([]);
    for (const needed of ['src', 'scripts', 'docs', 'public', 'tsconfig.json'])
      expect([needed, existsSync(join(root, needed)), ignored.includes(needed)]).toEqual([
        needed,
        true,
        false,
      ]);
  });

  it('is built without what belongs to one machine, to the tests and to git', () => {
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

  it('holds what runs, and nothing else', () => {
    expect(sourcesOf(image)).toEqual([
      '/app/package.json',
      '/app/node_modules',
      '/app/public',
      '/app/dist',
    ]);
    expect(build).toMatch(/npm run build && npm prune --omit=dev/);
  });

  it('runs as a user without rights, and is asked for its health', () => {
    expect(image).toMatch(/^USER node\n/m);
    expect(image.indexOf('USER node')).toBeLessThan(
      image.indexOf('CMD ["node", "dist/server.js"]'),
    );
    expect(image).toMatch(/^HEALTHCHECK .*\/api\/health\/live/m);
  });
});
