import { get } from 'node:http';
import { gzipSync } from 'node:zlib';

const kinds = {
  document: 'document',
  stylesheet: 'css',
  script: 'js',
  image: 'images',
  font: 'fonts',
};
const settleMs = 1000;

/**
 * True for a Content-Security-Policy that defaults to 'none' and allows only files of this origin,
 * hashes, and data: and blob: where they cannot run as scripts.
 */
function isStrict(policy = '') {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  const fits = ([name, ...sources]) =>
    sources.every(
      (source) =>
        /^'(?:self|none|sha\d+-[\w+/=]+|wasm-unsafe-eval|unsafe-hashes)'$/.test(source) ||
        (source === 'data:' && ['img-src', 'font-src'].includes(name)) ||
        (source === 'blob:' && name === 'worker-src'),
    );
  const has = (name) => directives.some(([each, source]) => each === name && source === "'none'");
  return has('default-src') && has('frame-ancestors') && directives.every(fits);
}

/**
 * Returns the bytes of a response on the wire, header included; for files that a headless browser
 * does not load.
 */
function bytesOf(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { 'accept-encoding': 'gzip' } }, (response) => {
      response.resume().once('end', () => resolve(response.socket.bytesRead));
    }).once('error', reject);
  });
}

/** Counts the bytes on the wire, by kind of file, that the tab loads from now on. */
async function watch(page, origin) {
  const client = await page.context().newCDPSession(page);
  const [seen, sizes, outside, complaints] = [new Map(), {}, new Set(), []];
  const add = (kind, bytes) => void (sizes[kind] = (sizes[kind] ?? 0) + bytes);
  await client.send('Network.enable');
  client.on('Network.requestWillBeSent', ({ requestId, request: { url }, type = 'other' }) => {
    if (/^(?:data|blob):/.test(url)) return;
    seen.set(requestId, { url, kind: kinds[type.toLowerCase()] ?? 'other' });
    if (new URL(url).origin !== origin) outside.add(new URL(url).host);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    add(seen.get(requestId)?.kind ?? 'other', encodedDataLength),
  );
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { seen, sizes, outside, complaints, add };
}

/** Converts a cookie, as a request sends it, to the form in which a browser stores it. */
export const cookieFor = (origin, cookie) => ({
  name: cookie.slice(0, cookie.indexOf('=')),
  value: cookie.slice(cookie.indexOf('=') + 1),
  url: origin,
});

/** Returns the bytes that gzip would save of a document sent without it. */
async function gzipSavings(answer) {
  if (answer === null || answer.headers()['content-encoding'] !== undefined) return 0;
  const body = await answer.body();
  return body.length - gzipSync(body).length;
}

/**
 * Opens a page in an empty browser context with the optional `cookie`. Returns `sizes` (bytes on
 * the wire, by kind; `all`, their sum; `packed`, the sum if the document were gzipped, which
 * personal pages never are), the number of requests, the external hosts, whether the policy is
 * strict, and the browser's errors and warnings.
 */
export async function load(browser, origin, path, cookie) {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  if (cookie !== undefined) await context.addCookies([cookieFor(origin, cookie)]);
  try {
    const page = await context.newPage();
    const { seen, sizes, outside, complaints, add } = await watch(page, origin);
    const answer = await page.goto(origin + path, { waitUntil: 'load' });
    await page.waitForTimeout(settleMs);
    const linked = await page.evaluate(() =>
      [...document.querySelectorAll('link[rel~=icon], link[rel=manifest]')].map(
        ({ rel, href }) => ({ rel, href }),
      ),
    );
    const urls = new Set([...seen.values()].map(({ url }) => url));
    const more = linked.filter(({ href }) => href.startsWith(`${origin}/`) && !urls.has(href));
    for (const { rel, href } of more)
      add(rel === 'manifest' ? 'other' : 'images', await bytesOf(href));
    if (answer?.status() !== 200) complaints.push(`The status is ${answer?.status()}.`);
    const all = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
    return {
      sizes: { ...sizes, all, packed: all - (await gzipSavings(answer)) },
      requests: seen.size + more.length,
      outside: [...outside],
      isStrict: isStrict(answer?.headers()['content-security-policy']),
      complaints,
    };
  } finally {
    await context.close();
  }
}
