import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPublicFiles } from '../../../src/platform/ui/public-files.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { titleOf } from './support.ts';

const asBrowser = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
};
const projects = join(import.meta.dirname, '../../../public');
const secret = 'only-for-this-machine';

/** A folder with a `public/` inside, as an operator may fill it, and a secret next to it. */
let around: string;
let folder: string;
let app: FreshApp;

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), content);
}

beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), 'public-files-'));
  folder = join(around, 'public');
  await writeFile(join(around, 'secret.txt'), secret);
  await write('favicon.ico', await readFile(join(projects, 'favicon.ico'), 'latin1'));
  await writeFile(join(folder, 'favicon.ico'), await readFile(join(projects, 'favicon.ico')));
  await write('terms-2026.txt', 'Terms of 2026\n');
  await write('verify.html', '<script>alert(1)</script>');
  await write('going.txt', 'Soon gone.');
  await write('folder/index.html', '<p>first page of a folder</p>');
  await write('folder/deep/data.json', '{"a":1}');
  await write('.well-known/assetlinks.json', '[]');
  await write('.well-known/apple-app-site-association', '{"webcredentials":{}}');
  for (const hidden of [
    '.env',
    '.git/config',
    '.well-known/.key',
    'folder/.htpasswd',
    'folder/.well-known/x.txt',
    '..data/mounted.txt',
  ])
    await write(hidden, secret);
  for (const odd of ['with space.txt', 'a:b.txt', 'all*.txt', 'per%63ent.txt', 'ünï.txt'])
    await write(odd, secret);
  for (const taken of ['robots.txt', 'login', 'api/openapi.json', 'status'])
    await write(taken, 'not the service');
  await symlink(join(around, 'secret.txt'), join(folder, 'out.txt'));
  await symlink('../secret.txt', join(folder, 'out-relative.txt'));
  await symlink(around, join(folder, 'out-folder'));
  await symlink('nowhere.txt', join(folder, 'dangling.txt'));
  await symlink('..data/mounted.txt', join(folder, 'mounted.txt'));
  app = await freshApp({ publicFolder: pathToFileURL(`${folder}/`) });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
}, 30_000);
afterAll(async () => {
  await app.close();
  await rm(around, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });

/** Requests a path unchanged: other clients normalize it. */
async function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: (app.http.server.address() as AddressInfo).port,
        path,
        headers,
        agent: false,
      },
      (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
      },
    );
    outgoing.on('error', reject).end();
  });
}

describe('a file of the public folder', () => {
  it('is sent unchanged, with the common headers, and cached for a day', async () => {
    const icon = await get('/favicon.ico');
    expect({ status: icon.statusCode, bytes: icon.rawPayload }).toEqual({
      status: 200,
      bytes: await readFile(join(projects, 'favicon.ico')),
    });
    expect(icon.headers).toMatchObject({
      'content-type': 'image/x-icon',
      'content-length': '305',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(icon.headers).not.toHaveProperty('set-cookie');
    expect((await get('/favicon.ico/')).rawPayload).toEqual(icon.rawPayload);
  });

  it('may be in subfolders and in .well-known', async () => {
    const of = async (url: string) =>
      get(url).then(({ statusCode, headers, body }) => [statusCode, headers['content-type'], body]);
    expect(await of('/folder/deep/data.json')).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"a":1}',
    ]);
    expect(await of('/terms-2026.txt')).toEqual([
      200,
      'text/plain; charset=utf-8',
      'Terms of 2026\n',
    ]);
    expect(await of('/.well-known/assetlinks.json')).toEqual([
      200,
      'application/json; charset=utf-8',
      '[]',
    ]);
    expect(await of('/.well-known/apple-app-site-association')).toEqual([
      200,
      'application/json',
      '{"webcredentials":{}}',
    ]);
  });

  it('cannot run scripts, whatever it contains', async () => {
    const { headers } = await get('/verify.html');
    expect({
      'content-type': headers['content-type'],
      'content-security-policy': headers['content-security-policy'],
    }).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none';/) as string,
    });
  });

  it('is 304 when the validators match, and 412 when If-Match does not', async () => {
    const {
      headers: { etag, 'last-modified': modified },
    } = await get('/favicon.ico');
    expect({ etag, modified }).toEqual({
      etag: expect.stringMatching(/^W\/"[\w-]+"$/) as string,
      modified: expect.stringContaining('GMT') as string,
    });
    for (const headers of [
      { 'if-none-match': String(etag) },
      { 'if-none-match': `"x", ${String(etag)}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': String(modified) },
    ]) {
      const again = await get('/favicon.ico', headers);
      expect({
        status: again.statusCode,
        body: again.body,
        'content-type': again.headers['content-type'],
        'cache-control': again.headers['cache-control'],
      }).toEqual({
        status: 304,
        body: '',
        'content-type': undefined,
        'cache-control': 'public, max-age=86400',
      });
    }
    expect(
      (await get('/favicon.ico', { 'if-none-match': '"x"', 'if-modified-since': String(modified) }))
        .statusCode,
    ).toBe(200);
    const other = await get('/favicon.ico', { 'if-match': '"x"' });
    expect({ status: other.statusCode, 'content-type': other.headers['content-type'] }).toEqual({
      status: 412,
      'content-type': 'application/problem+json; charset=utf-8',
    });
  });

  it('is sent in part for a range request', async () => {
    const part = await get('/terms-2026.txt', { range: 'bytes=0-4' });
    expect({
      status: part.statusCode,
      body: part.body,
      'content-range': part.headers['content-range'],
      'content-length': part.headers['content-length'],
    }).toEqual({
      status: 206,
      body: 'Terms',
      'content-range': 'bytes 0-4/14',
      'content-length': '5',
    });
    expect((await get('/terms-2026.txt', { range: 'bytes=-5' })).body).toBe('2026\n');
    for (const headers of [
      { range: 'bytes=0-1,3-4' },
      { range: 'lines=1-2' },
      { range: 'bytes=0-4', 'if-range': '"x"' },
    ])
      expect((await get('/terms-2026.txt', headers)).statusCode).toBe(200);
    const beyond = await get('/terms-2026.txt', { range: 'bytes=100-' });
    expect(beyond).toMatchObject({ statusCode: 416, headers: { 'content-range': 'bytes */14' } });
    expect(beyond.json()).toMatchObject({ status: 416 });
  });

  it('answers HEAD like GET, OPTIONS with the methods, and no other method', async () => {
    const [file, head] = [
      await get('/terms-2026.txt'),
      await app.http.inject({ method: 'HEAD', url: '/terms-2026.txt' }),
    ];
    const headersOf = ({ headers }: typeof file) => ({ ...headers, date: '', 'x-request-id': '' });
    expect({ status: head.statusCode, body: head.body, headers: headersOf(head) }).toEqual({
      status: 200,
      body: '',
      headers: headersOf(file),
    });
    const options = await app.http.inject({ method: 'OPTIONS', url: '/terms-2026.txt' });
    expect({ status: options.statusCode, allow: options.headers.allow }).toEqual({
      status: 204,
      allow: 'GET, HEAD, OPTIONS',
    });
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const refused = await app.http.inject({ method, url: '/terms-2026.txt' });
      expect({ status: refused.statusCode, allow: refused.headers.allow }).toEqual({
        status: 405,
        allow: 'GET, HEAD, OPTIONS',
      });
    }
  });
});

describe('not served', () => {
  it('are missing files, and folders, which are not listed', async () => {
    for (const url of [
      '/nothing.txt',
      '/folder',
      '/folder/',
      '/folder/deep',
      '/folder/index',
      '/.well-known',
      '/.well-known/',
      '/Favicon.ico',
      '/favicon.ico/x',
    ]) {
      const [page, problem] = [await get(url, asBrowser), await get(url)];
      expect({
        url,
        status: page.statusCode,
        title: titleOf(page.body).startsWith('Error: Page not found'),
      }).toEqual({ url, status: 404, title: true });
      expect({
        url,
        status: problem.statusCode,
        code: problem.json<{ code: string }>().code,
      }).toEqual({ url, status: 404, code: 'request.not_found' });
    }
    expect((await app.http.inject({ method: 'POST', url: '/nothing.txt' })).statusCode).toBe(404);
  });

  it('is anything outside the folder, however its path is written', async () => {
    const ways = [
      '..',
      '%2e%2e',
      '.%2e',
      '%2E.',
      '..%00',
      '%c0%ae%c0%ae',
      '%252e%252e',
      '....',
      '\u002e\u002e;',
    ];
    const between = ['/', '%2f', '%5c', '\\', '%252f', '//'];
    const paths = ways.flatMap((way) =>
      between.flatMap((slash) =>
        ['', 'folder/', '.well-known/', 'favicon.ico/'].map(
          (from) => `/${from}${way}${slash}secret.txt`,
        ),
      ),
    );
    const absolute = [
      `/${around}/secret.txt`,
      `//${around}/secret.txt`,
      `/%2f${around.slice(1)}/secret.txt`,
      '/folder/../../secret.txt',
      '/./favicon.ico/../../secret.txt',
      '/file:///etc/passwd',
      '/%00',
      '/favicon.ico%00.txt',
    ];
    for (const path of [...paths, ...absolute]) {
      const { status, body } = await raw(path);
      expect({
        path,
        isIsStatus: status === 404 || status === 400,
        includes: body.includes(secret),
      }).toEqual({ path, isIsStatus: true, includes: false });
    }
    expect(paths.length).toBeGreaterThan(200);
  });

  it('are hidden files', async () => {
    for (const path of [
      '/.env',
      '/%2eenv',
      '/.git/config',
      '/.well-known/.key',
      '/folder/.htpasswd',
      '/folder/.well-known/x.txt',
      '/..data/mounted.txt',
    ]) {
      expect({ path, raw: await raw(path) }).toMatchObject({
        path,
        raw: { status: 404, body: expect.not.stringContaining(secret) as string },
      });
    }
  });

  it('are links to the outside; links within the folder are followed', async () => {
    for (const path of [
      '/out.txt',
      '/out-relative.txt',
      '/out-folder',
      '/out-folder/secret.txt',
      '/dangling.txt',
    ])
      expect({ path, status: (await raw(path)).status }).toEqual({ path, status: 404 });
    expect((await get('/mounted.txt')).body).toBe(secret);
  });

  it('are files that were added or deleted after startup', async () => {
    await rm(join(folder, 'going.txt'));
    await write('coming.txt', 'New.');
    const gone = await get('/going.txt', asBrowser);
    expect({
      status: gone.statusCode,
      title: titleOf(gone.body).startsWith('Error: Page not found'),
    }).toEqual({ status: 404, title: true });
    for (const url of ['/going.txt', '/coming.txt'])
      expect((await get(url)).json<{ code: string }>().code).toBe('request.not_found');
  });

  it('are files whose names would need escaping in a URL', async () => {
    for (const path of [
      '/with%20space.txt',
      '/a:b.txt',
      '/a%3Ab.txt',
      '/all*.txt',
      '/allx.txt',
      '/per%63ent.txt',
      '/per%2563ent.txt',
      '/%C3%BCn%C3%AF.txt',
    ])
      expect({ path, status: (await raw(path)).status }).toEqual({ path, status: 404 });
  });
});

describe('a path of the service', () => {
  it('is never replaced by a file', async () => {
    for (const url of ['/robots.txt', '/login', '/login/', '/api/openapi.json', '/status']) {
      const { statusCode, body } = await get(url);
      expect({ url, statusCode, includesNotTheService: body.includes('not the service') }).toEqual({
        url,
        statusCode: 200,
        includesNotTheService: false,
      });
    }
  });
});

it('the log names skipped files with a reason, except hidden ones', () => {
  const warnings = app
    .log()
    .split('\n')
    .filter((line) => line.includes('a file of the public folder is not served'))
    .map((line) => JSON.parse(line) as { file: string; reason: string });
  expect(warnings.map(({ file, reason }) => `${file}: ${reason}`).sort()).toEqual(
    [
      ...['a:b.txt', 'all*.txt', 'per%63ent.txt', 'with space.txt', 'ünï.txt'].map(
        (file) => `${file}: its name has other characters than letters, digits and . _ ~ -`,
      ),
      ...['api/openapi.json', 'login', 'robots.txt', 'status'].map(
        (file) => `${file}: the service answers this path itself`,
      ),
      'dangling.txt: it is a link that leads nowhere',
      ...['out-folder', 'out-relative.txt', 'out.txt'].map(
        (file) => `${file}: it is a link that leads out of the folder`,
      ),
    ].sort(),
  );
});

it('files are in the route table, but not in the OpenAPI document', async () => {
  const reference = (await get('/api/openapi.json')).json<{ paths: object }>();
  expect(
    Object.keys(reference.paths).filter((path) =>
      /favicon|terms-2026|well-known\/assetlinks/.test(path),
    ),
  ).toEqual([]);
  expect(app.http.registeredRoutes.find(({ url }) => url === '/favicon.ico')).toMatchObject({
    schema: { operationId: 'pages.favicon' },
    config: { scope: 'public' },
  });
});

describe('the folder', () => {
  it('may be missing', async () => {
    expect(await findPublicFiles(join(around, 'nowhere'))).toEqual({ files: [], leftOut: [] });
  });

  it('may hold a thousand files; more fail the startup with a hint', async () => {
    const many = join(around, 'many');
    await mkdir(many);
    await Promise.all(
      Array.from({ length: 1000 }, (_, n) => writeFile(join(many, `${n}.txt`), '')),
    );
    expect((await findPublicFiles(many)).files).toHaveLength(1000);
    await writeFile(join(many, 'more.txt'), '');
    await expect(findPublicFiles(many)).rejects.toThrow(
      /has more than 1000 files\. Serve that many from a web server/,
    );
  });

  it('of the project holds the icons that browsers request by default', async () => {
    expect((await findPublicFiles(projects)).files).toEqual([
      'apple-touch-icon.png',
      'favicon.ico',
    ]);
  });
});
