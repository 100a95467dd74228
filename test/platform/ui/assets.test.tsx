import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { loadAssets } from '../../../src/platform/ui/assets.ts';
import { Icon, iconsPath } from '../../../src/platform/ui/icon.tsx';
import icons from '../../../src/platform/ui/icons.json' with { type: 'json' };
import { testAssets } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

const client = new TestClient(await sharedApp());

describe('the files of pages', () => {
  it('have a hash in their URL and are cached for a year', async () => {
    const types: Record<string, string> = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
      woff2: 'font/woff2',
    };
    const { files } = await testAssets();
    // Flags and marks are served one by one.
    for (const { path, content } of files.filter(({ name }) => !name.endsWith('.json'))) {
      expect(path).toMatch(/^\/assets\/[\w-]+\.[A-Z0-9]{8}\.(?:css|js|svg|woff2)$/);
      const file = await client.get(path);
      expect(file, path).toMatchObject({
        status: 200,
        headers: {
          'content-type': types[path.split('.').at(-1) ?? ''],
          'cache-control': 'public, max-age=31536000, immutable',
        },
      });
      expect(file.bytes.equals(content), path).toBe(true);
      const headers = { 'if-none-match': String(file.headers.etag) };
      expect(await client.get(path, { headers })).toMatchObject({ status: 304, text: '' });
    }
  });

  it('are compressed, except the font', async () => {
    const { path } = await testAssets();
    const packing = client.as({ 'accept-encoding': 'gzip' });
    const style = await packing.get(path('pages.css'));
    expect(style.headers['content-encoding']).toBe('gzip');
    const small = await client.as({ 'accept-encoding': 'gzip, br' }).get(path('pages.css'));
    expect(small.headers['content-encoding']).toBe('br');
    expect(small.bytes.length).toBeLessThan(style.bytes.length);
    expect(small.headers.etag).not.toBe(style.headers.etag);
    const font = await packing.get(path('inter.woff2'));
    expect(font.headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['inter.woff2', 16],
    ['latin.woff2', 10],
  ] as const)('include %s of at most %d KB, which the style sheet names', async (name, max) => {
    const { path, files } = await testAssets();
    const font = files.find((each) => each.name === name);
    expect(font?.content.length).toBeLessThanOrEqual(max * 1024);
    expect(font?.content.subarray(0, 4).toString()).toBe('wOF2');
    const file = path(name).replace('/assets/', './');
    expect((await client.get(path('pages.css'))).text).toContain(file);
  });

  it('say to run the build when they are missing', async () => {
    await expect(loadAssets(new URL('file:///nowhere/'))).rejects.toThrow('npm run build');
  });
});

describe('what pages load on demand', () => {
  it('are parts of scripts, under names with a hash', async () => {
    const { parts } = await testAssets();
    const names = [...parts.keys()];
    expect(names.map((name) => name.split('.')[0])).toContain('palette');
    const script = (await client.get((await testAssets()).path('console.js'))).text;
    for (const name of names) {
      expect(name).toMatch(/^[\w-]+\.[A-Z0-9]{8}\.js$/);
      expect(await client.get(`/assets/parts/${name}`)).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
        },
      });
    }
    expect(names.filter((name) => script.includes(`/assets/parts/${name}`)).length).toBeGreaterThan(
      5,
    );
    expect(await client.get('/assets/parts/palette.js')).toMatchObject({ status: 404 });
  });

  it('are flags and marks, one by one', async () => {
    for (const path of ['/assets/flags/DE.svg', '/assets/marks/google.svg'])
      expect(await client.get(path), path).toMatchObject({
        status: 200,
        headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=2592000' },
      });
    expect(await client.get('/assets/marks/nobody.svg')).toMatchObject({ status: 404 });
  });
});

describe('the style sheets', () => {
  it('name colours in one place, so that a theme can choose', () => {
    for (const file of readdirSync('src/web/styles')) {
      const text = readFileSync(`src/web/styles/${file}`, 'utf8');
      expect(text, file).not.toContain('prefers-color-scheme');
      const onScreen = text.replace(/@media print \{[\s\S]*/, '');
      if (file !== 'tokens.css') expect(onScreen, file).not.toMatch(/#[\da-f]{3,8}\b[^{]*;/i);
    }
  });
});

describe('the icons', () => {
  it('are one sprite with a symbol for each name', async () => {
    const sprite = await client.get(iconsPath);
    expect(sprite).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
    });
    const ids = [...sprite.text.matchAll(/<symbol id="([^"]+)" viewBox="0 0 24 24"><\w/g)];
    expect(ids.map(([, id]) => id)).toEqual(Object.keys(icons));
  });

  it('are hidden from screen readers unless they have a label', () => {
    const use = '<use href="/assets/icons.svg?v=';
    const plain = String(<Icon name="search" />);
    expect(plain).toContain(`<svg class="icon" aria-hidden="true">${use}`);
    expect(plain).toContain('#search"');
    expect(String(<Icon name="x" label="Close" />)).toContain(
      `<svg class="icon" role="img" aria-label="Close">${use}`,
    );
  });
});
