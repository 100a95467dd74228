import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPublicFiles } from '../../../src/platform/ui/public-files.ts';
import { comparable } from '../../support/abuse-tables.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { listen } from '../../support/sockets.ts';

const projects = join(import.meta.dirname, '../../../public');
const secret = 'only-for-this-machine';

let app: FreshApp;
let client: TestClient;

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), content);
}

/** A folder with a `public/` inside, as an operator may fill it, and a secret next to it. */
const around = await mkdtemp(join(tmpdir(), 'public-files-'));
const folder = join(around, 'public');
beforeAll(async () => {
  await writeFile(join(around, 'secret.txt'), secret);
  await mkdir(folder);
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
  client = new TestClient(app);
}, 30_000);
afterAll(async () => {
  await app.close();
  await rm(around, { recursive: true, force: true });
});

/** Requests a path unchanged: other clients normalize it. */
async function raw(path: string): Promise<{ status: number | undefined; body: string }> {
  const port = await listen(app);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('a file of the public folder', () => {
  it('is sent unchanged, with the common headers, and cached for a day', async () => {
    const icon = await client.get('/favicon.ico');
    expect(icon.status).toBe(200);
    expect(icon.bytes).toEqual(await readFile(join(projects, 'favicon.ico')));
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
    expect((await client.get('/favicon.ico/')).bytes).toEqual(icon.bytes);
  });

  it.each([
    ['/folder/deep/data.json', 'application/json; charset=utf-8', '{"a":1}'],
    ['/terms-2026.txt', 'text/plain; charset=utf-8', 'Terms of 2026\n'],
    ['/.well-known/assetlinks.json', 'application/json; charset=utf-8', '[]'],
    ['/.well-known/apple-app-site-association', 'application/json', '{"webcredentials":{}}'],
  ])('may be in a folder, as %s', async (path, type, content) => {
    expect(await client.get(path)).toMatchObject({
      status: 200,
      headers: { 'content-type': type },
      text: content,
    });
  });

  it('cannot run scripts, whatever it contains', async () => {
    expect((await client.get('/verify.html')).headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none';/) as string,
    });
  });

  it('is 304 when the validators match, and 412 when If-Match does not', async () => {
    const first = await client.get('/favicon.ico');
    const [etag, modified] = [first.headers.etag, first.headers['last-modified']].map(String);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(modified).toContain('GMT');
    const ask = (headers: object) =>
      client.get('/favicon.ico', { headers: headers as Record<string, string> });
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", ${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified },
    ]) {
      const again = await ask(headers);
      expect(again).toMatchObject({
        status: 304,
        text: '',
        headers: { 'cache-control': 'public, max-age=86400' },
      });
      expect(again.headers).not.toHaveProperty('content-type');
    }
    const changed = await ask({ 'if-none-match': '"x"', 'if-modified-since': modified });
    expect(changed.status).toBe(200);
    expect(await ask({ 'if-match': '"x"' })).toMatchObject({
      status: 412,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    });
  });

  it('is sent in part for a range request', async () => {
    const part = (headers: Record<string, string>) => client.get('/terms-2026.txt', { headers });
    expect(await part({ range: 'bytes=0-4' })).toMatchObject({
      status: 206,
      text: 'Terms',
      headers: { 'content-range': 'bytes 0-4/14', 'content-length': '5' },
    });
    expect((await part({ range: 'bytes=-5' })).text).toBe('2026\n');
    for (const range of ['bytes=0-1,3-4', 'lines=1-2'])
      expect((await part({ range })).status).toBe(200);
    expect((await part({ range: 'bytes=0-4', 'if-range': '"x"' })).status).toBe(200);
    expect(await part({ range: 'bytes=100-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */14' },
      body: { status: 416 },
    });
  });

  it('answers HEAD like GET, OPTIONS with the methods, and no other method', async () => {
    const url = '/terms-2026.txt';
    const head = await client.send('HEAD', url);
    expect(head.text).toBe('');
    expect(comparable(head)).toEqual({ ...comparable(await client.get(url)), text: '' });
    const allowed = { allow: 'GET, HEAD, OPTIONS' };
    expect(await client.send('OPTIONS', url)).toMatchObject({ status: 204, headers: allowed });
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect(await client.send(method, url)).toMatchObject({ status: 405, headers: allowed });
  });
});

const notFoundPage = {
  status: 404,
  text: expect.stringContaining('<title>Error: Page not found') as string,
};

describe('not served', () => {
  it.each([
    '/nothing.txt',
    '/folder',
    '/folder/',
    '/folder/deep',
    '/folder/index',
    '/.well-known',
    '/.well-known/',
    '/Favicon.ico',
    '/favicon.ico/x',
  ])('is %s: a missing file, or a folder', async (url) => {
    expect(await client.page(url)).toMatchObject(notFoundPage);
    expect(await client.get(url)).toBeProblem(404, 'request.not_found');
    expect((await client.post(url)).status).toBe(404);
  });

  it('is anything outside the folder, however its path is written', async () => {
    const encoded = ['%2e%2e', '.%2e', '%2E.', '..%00', '%c0%ae%c0%ae', '%252e%252e'];
    const ways = ['..', ...encoded, '....', '\u002e\u002e;'];
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
      expect([400, 404], path).toContain(status);
      expect(body, path).not.toContain(secret);
    }
    expect(paths.length).toBeGreaterThan(200);
  });

  it.each([
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/.well-known/.key',
    '/folder/.htpasswd',
    '/folder/.well-known/x.txt',
    '/..data/mounted.txt',
  ])('is %s: a hidden file', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body).not.toContain(secret);
  });

  it.each([
    '/out.txt',
    '/out-relative.txt',
    '/out-folder',
    '/out-folder/secret.txt',
    '/dangling.txt',
  ])('is %s: a link to the outside', async (path) => {
    expect((await raw(path)).status).toBe(404);
  });

  it.each([
    '/with%20space.txt',
    '/a:b.txt',
    '/a%3Ab.txt',
    '/all*.txt',
    '/allx.txt',
    '/per%63ent.txt',
    '/per%2563ent.txt',
    '/%C3%BCn%C3%AF.txt',
  ])('is %s: a name that would need escaping in a URL', async (path) => {
    expect((await raw(path)).status).toBe(404);
  });

  it('are files that were added or deleted after startup', async () => {
    await rm(join(folder, 'going.txt'));
    await write('coming.txt', 'New.');
    expect(await client.page('/going.txt')).toMatchObject(notFoundPage);
    for (const url of ['/going.txt', '/coming.txt'])
      expect(await client.get(url)).toBeProblem(404, 'request.not_found');
  });
});

it('a link within the folder is followed', async () => {
  expect((await client.get('/mounted.txt')).text).toBe(secret);
});

it.each(['/robots.txt', '/login', '/login/', '/api/openapi.json', '/status'])(
  'the path %s of the service is never replaced by a file',
  async (url) => {
    const { status, text: content } = await client.get(url);
    expect(status).toBe(200);
    expect(content).not.toContain('not the service');
  },
);

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
  const { body } = await client.get<{ paths: object }>('/api/openapi.json');
  const files = /favicon|terms-2026|well-known\/assetlinks/;
  expect(Object.keys(body.paths).filter((path) => files.test(path))).toEqual([]);
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
