import { gzipSync } from 'node:zlib';
import { nameOf, type Target } from '../../../contract/sweep/routes.ts';
import { type Answer, checkEach, type Headers, type Sweep } from '../../../contract/sweep/sweep.ts';
import { isPage, readsBody, sendTo } from './sign-in-routes.ts';

const levels = 10_000;

interface HostileBody {
  payload: string | Buffer;
  headers?: Headers;
  /** Whether JSON is refused before it is parsed, which bounds the work that it can cause. */
  isUnparsed?: (answer: Answer) => boolean;
}

/** Bodies that could be expensive to parse, or dangerous to use. */
export const hostileBodies: Readonly<Record<string, HostileBody>> = {
  'a megabyte': {
    payload: JSON.stringify({ code: 'a'.repeat(1024 * 1024) }),
    isUnparsed: ({ status }) => status === 413,
  },
  // Short enough for most routes.
  'ten thousand levels': {
    payload: `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
    isUnparsed: ({ status, body }) => status === 413 || body.includes('Nested too deeply'),
  },
  'a megabyte of spaces': {
    payload: ' '.repeat(1024 * 1024),
    isUnparsed: ({ status }) => status === 413,
  },
  'lists, thirty thousand deep': { payload: '['.repeat(30_000) },
  'a wide object': {
    payload: JSON.stringify(
      Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 0])),
    ),
  },
  'a number with sixty thousand digits': { payload: `{"phone":1${'0'.repeat(60_000)}}` },
  'a prototype': {
    payload:
      '{"__proto__":{"polluted":true,"phone":"+14155550155","code":"123456",' +
      '"email":"case55@example.com","refresh_token":"x"},' +
      '"constructor":{"prototype":{"polluted":true}}}',
  },
  'no UTF-8': {
    payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  },
  'UTF-16': { payload: Buffer.from('\ufeff{"phone":"+14155550155"}', 'utf16le') },
  NULs: { payload: '\0'.repeat(1000) },
  'a brotli label': { payload: '{}', headers: { 'content-encoding': 'br' } },
  'a gzip bomb': {
    payload: gzipSync(Buffer.alloc(20 * 1024 * 1024)),
    headers: { 'content-encoding': 'gzip' },
    isUnparsed: ({ status }) => status === 413 || status === 415,
  },
};

const json = 'application/json';

function faultOf(target: Target, type: string, answer: Answer, body: HostileBody): string[] {
  const { status } = answer;
  const name = `${nameOf(target)} ${type}: ${status}`;
  // The body has no required members, so it is valid, but no provider is configured.
  const isAway = target.url.endsWith('/idp/initiate') && status === 503;
  const isBack = isPage(target) && status === 303;
  if (!isAway && !isBack && (status < 400 || status >= 500)) return [name];
  // The guard of a route refuses before the body is read.
  if (type !== json || status === 403 || body.isUnparsed === undefined) return [];
  return body.isUnparsed(answer) ? [] : [`${name} ${answer.body.slice(0, 200)}`];
}

/** Posts the body to every route that reads one, as JSON and, to pages, as a form. */
export function checkHostileBody(
  sweep: Sweep,
  targets: readonly Target[],
  credential: Headers,
  body: HostileBody,
): Promise<string[]> {
  const posts = targets
    .filter((target) => target.method === 'POST' && readsBody(target))
    .flatMap((target) =>
      (isPage(target) ? ['application/x-www-form-urlencoded', json] : [json]).map(
        (type): [Target, string] => [target, type],
      ),
    );
  return checkEach(posts, async ([target, type]) => {
    const headers = { ...credential, 'content-type': type, ...body.headers };
    return faultOf(target, type, await sendTo(sweep, target, headers, body.payload), body);
  });
}
