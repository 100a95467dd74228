import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { freshApp } from '../support/app.ts';
import { listen } from '../support/sockets.ts';

// Raw bytes that no client library sends, to the whole service.
const app = await freshApp({ env: { NODE_ENV: 'development' } });
const port = await listen(app);

interface Exchange {
  statuses: number[];
  text: string;
}

/** Returns the statuses of the final (not 1xx) answers received so far. */
const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status !== 100);

/**
 * Writes the bytes and reads until the service ends the connection or has sent `answers` answers.
 */
function exchange(bytes: string | Buffer, answers = 1): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve({ statuses: statusesOf(text), text });
    };
    socket.on('data', (part) => {
      text += part.toString('latin1');
      if (statusesOf(text).length >= answers) setImmediate(done);
    });
    socket
      .on('end', done)
      .on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
      );
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** True when the service still answers a new client on another connection. */
async function isAnswered(): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/api/health/live`)).status === 200;
}

const host = 'Host: localhost\r\n';
const json = 'Content-Type: application/json\r\n';
const post = (head: string, body: string): string =>
  `POST /analytics/track/ HTTP/1.1\r\n${host}${head}\r\n${body}`;
const get = (head: string, path = '/api/auth/status'): string =>
  `GET ${path} HTTP/1.1\r\n${host}${head}\r\n`;
const chunked = `${json}Transfer-Encoding: chunked\r\n`;
const smuggled = get('', '/login');

describe('the framing of a body', () => {
  test.each<[string, string, number]>([
    [
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
      400,
    ],
    [
      'both, with an Upgrade',
      post(
        'Connection: Upgrade\r\nUpgrade: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n',
        `0\r\n\r\n${smuggled}`,
      ),
      400,
    ],
    ['two lengths', post('Content-Length: 4\r\nContent-Length: 5\r\n', 'abcde'), 400],
    ['two lengths that agree', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
    ['a list of lengths', post('Content-Length: 2, 2\r\n', '{}'), 400],
    ['a length with a sign', post('Content-Length: +2\r\n', '{}'), 400],
    ['a negative length', post('Content-Length: -1\r\n', '{}'), 400],
    ['a hexadecimal length', post('Content-Length: 0x2\r\n', '{}'), 400],
    ['a length of twenty digits', post('Content-Length: 99999999999999999999\r\n', '{}'), 400],
    ['a length of 2^63 - 1', post(`${json}Content-Length: 9223372036854775807\r\n`, '{}'), 413],
    [
      'codings twice',
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'),
      400,
    ],
    ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
    [
      'a coding before chunked',
      post(`${json}Transfer-Encoding: gzip, chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n'),
      400,
    ],
    ['a coding after chunked', post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'), 400],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'), 400],
    ['a vertical tab before chunked', post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'), 400],
    [
      'chunks of HTTP/1.0',
      `POST /analytics/track/ HTTP/1.0\r\n${host}Connection: keep-alive\r\n` +
        `${chunked}\r\n0\r\n\r\n${smuggled}`,
      400,
    ],
    ['a chunk that is followed by something else', post(chunked, '2\r\n{}XX0\r\n\r\n'), 400],
    ['chunks whose lines end in LF', post(chunked, '2\n{}\n0\n\n'), 400],
    ['an extension that ends in LF', post(chunked, '2;\n{}\r\n0\r\n\r\n'), 400],
    [
      'an extension of 20,000 bytes',
      post(chunked, `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
      400,
    ],
    ['a chunk of 2^64 bytes and more', post(chunked, '1FFFFFFFFFFFFFFFF\r\n{}'), 400],
    ['a chunk size with 0x', post(chunked, '0x2\r\n{}\r\n0\r\n\r\n'), 400],
    ['a length in the trailer', post(chunked, '2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'), 400],
    [
      '35,000 bytes of trailer',
      post(chunked, `2\r\n{}\r\n0\r\n${'X-T: a\r\n'.repeat(5000)}\r\n`),
      431,
    ],
  ])('%s', async (_what, bytes, status) => {
    // A smuggled request would get a second answer; a refusal ends the connection instead.
    const { statuses } = await exchange(bytes, status === 413 ? 1 : 2);
    expect(statuses).toEqual([status]);
    expect(await isAnswered()).toBe(true);
  });

  test('a chunk extension is ignored', async () => {
    expect((await exchange(post(chunked, '2;a=b\r\n{}\r\n0\r\n\r\n'))).statuses).toEqual([422]);
  });

  test('the body of a GET is not read as the next request', async () => {
    const { statuses } = await exchange(
      `${get('Content-Length: 5\r\n')}hello${get('Connection: close\r\n')}`,
      2,
    );
    expect(statuses).toEqual([200, 200]);
  });

  test.each(['h2c', 'other'])(
    'with Upgrade: %s the body is read to its end, and the next request after it',
    async (protocol) => {
      const upgrade =
        `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n` +
        'HTTP2-Settings: AA\r\n';
      expect(
        (await exchange(post(`${upgrade}${json}Content-Length: 2\r\n`, `{}${get('')}`), 2))
          .statuses,
      ).toEqual([422, 200]);
      expect(
        (await exchange(post(`${upgrade}${chunked}`, `2\r\n{}\r\n0\r\n\r\n${get('')}`), 2))
          .statuses,
      ).toEqual([422, 200]);
    },
  );
});

describe('a request head', () => {
  test.each<[string, string | Buffer, number]>([
    ['folded', get('X-A: b\r\n c\r\n'), 400],
    ['with a folded Host', 'GET /login HTTP/1.1\r\nHost: localhost\r\n evil\r\n\r\n', 400],
    ['whose lines end in LF', 'GET /login HTTP/1.1\nHost: localhost\n\n', 400],
    ['whose lines end in CR', 'GET /login HTTP/1.1\rHost: localhost\r\r', 400],
    ['with CR in a value', get('X-A: a\rb\r\n'), 400],
    ['with NUL in a value', get('X-A: a\0b\r\n'), 400],
    ['with NUL in a name', get('X\0A: b\r\n'), 400],
    ['with a space in a name', get('X A: b\r\n'), 400],
    ['without a name', get(': b\r\n'), 400],
    ['without a colon', get('nocolon\r\n'), 400],
    ['with a space before the first field', 'GET /login HTTP/1.1\r\n Host: localhost\r\n\r\n', 400],
    ['with a field of 20,000 bytes', get(`X: ${'a'.repeat(20_000)}\r\n`), 431],
    ['with a name of 20,000 bytes', get(`${'a'.repeat(20_000)}: b\r\n`), 431],
    ['with an address of 20,000 bytes', get('', `/${'a'.repeat(20_000)}`), 431],
    ['with an address of 10,000 bytes', get('', `/${'a'.repeat(10_000)}`), 404],
    ['with 201 fields', get('a:b\r\n'.repeat(200)), 431],
    ['with 200 fields', get('a:b\r\n'.repeat(199)), 200],
    ['with 2,500 fields', get('a:b\r\n'.repeat(2500)), 431],
    ['with a method of 10,000 letters', `${'A'.repeat(10_000)} / HTTP/1.1\r\n${host}\r\n`, 400],
    ['with bytes above ASCII in its address', get('', '/\xff\xfe'), 400],
    ['with a space in its address', get('', '/a b'), 400],
    ['with a tab in its address', get('', '/a\tb'), 400],
    ['with an address that is not percent-encoded', get('', '/%zz'), 400],
    ['with a path that does not begin with a slash', get('', 'login'), 400],
    ['that asks for the parent of a file', get('', '/svc.min.js/../../etc/passwd'), 404],
    [
      'with two authorizations',
      get('Authorization: Bearer a\r\nAuthorization: Bearer b\r\n', '/api/auth/me'),
      401,
    ],
    [
      'with an unknown expectation',
      post(`${json}Content-Length: 2\r\nExpect: pizza\r\n`, '{}'),
      400,
    ],
    ['of HTTP/0.9', 'GET /login\r\n\r\n', 400],
    ['of HTTP/9.9', `GET /login HTTP/9.9\r\n${host}\r\n`, 400],
    ['of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['of TLS', Buffer.from('16030100a5010000a10303', 'hex'), 400],
    ['of SOCKS', Buffer.from('050100', 'hex'), 400],
    ['of TRACE', `TRACE /login HTTP/1.1\r\n${host}Cookie: a=b\r\n\r\n`, 405],
  ])('%s', async (_what, bytes, status) => {
    const { statuses, text } = await exchange(bytes);
    expect(statuses).toEqual([status]);
    if (status >= 400)
      expect(text).toMatch(/content-type: (?:application\/problem\+json|text\/html)/);
    expect(await isAnswered()).toBe(true);
  });

  test('of CONNECT opens no tunnel', async () => {
    expect(
      (await exchange('CONNECT host.example:443 HTTP/1.1\r\nHost: host.example:443\r\n\r\n'))
        .statuses,
    ).toEqual([]);
    expect(await isAnswered()).toBe(true);
  });

  test.each(['http://localhost', 'http://evil.example', 'https://evil.example:1'])(
    'with the absolute URL %s is answered like its path',
    async (origin) => {
      const { statuses, text } = await exchange(get('', `${origin}/api/auth/status`));
      expect(statuses).toEqual([200]);
      expect(text).not.toContain('evil.example');
    },
  );

  test('of OPTIONS for the whole service has no body', async () => {
    const { statuses, text } = await exchange(`OPTIONS * HTTP/1.1\r\n${host}\r\n`);
    expect(statuses).toEqual([204]);
    expect(text).toMatch(/\r\n\r\n$/);
  });

  test('with Expect: 100-continue gets 100 Continue before the final answer', async () => {
    const { statuses, text } = await exchange(
      post(`${json}Content-Length: 2\r\nExpect: 100-continue\r\n`, '{}'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(statuses).toEqual([422]);
  });

  test('after ten thousand empty lines is read', async () => {
    expect((await exchange(`${'\r\n'.repeat(10_000)}${get('')}`)).statuses).toEqual([200]);
  });
});

describe('a header added by a proxy', () => {
  test.each([1, 150, 900, 1000, 1990, 2000, 2400])(
    'is not lost after %i others: the client is not mistaken for a local one',
    async (others) => {
      const { statuses, text } = await exchange(
        get(
          `${'a:b\r\n'.repeat(others)}X-Forwarded-For: 203.0.113.9\r\n`,
          '/api/auth/dev/bypass/eve@example.com',
        ),
      );
      expect([404, 431]).toContain(statuses[0]);
      expect(text).not.toContain('svc_session');
    },
  );

  test('such as a second Host is refused with 431 after 2,400 others', async () => {
    expect(
      (await exchange(get(`${'a:b\r\n'.repeat(2400)}Host: evil.example\r\n`))).statuses,
    ).toEqual([431]);
  });
});

describe('requests on one connection', () => {
  test('a hundred pipelined requests are answered in order', async () => {
    const paths = Array.from({ length: 100 }, (_, at) =>
      at % 2 === 0 ? '/api/auth/status' : '/nothing',
    );
    expect((await exchange(paths.map((path) => get('', path)).join(''), 100)).statuses).toEqual(
      paths.map((path) => (path === '/nothing' ? 404 : 200)),
    );
  });

  test('a whole request is answered before the garbage after it is refused', async () => {
    const { statuses, text } = await exchange(`${get('')}GARBAGE\0\r\n\r\n`, 2);
    expect(statuses).toEqual([200, 400]);
    expect(text).toMatch(/connection: close/i);
    expect(await isAnswered()).toBe(true);
  });

  test('three requests are each answered once before the garbage is refused', async () => {
    const { statuses } = await exchange(
      `${get('')}${get('', '/nothing')}${get('', '/login')}\0\0\0\0`,
      4,
    );
    expect(statuses).toEqual([200, 404, 200, 400]);
  });

  test('a request with garbage in its body is refused without waiting for the rest', async () => {
    const { statuses } = await exchange(`${get('')}${post(chunked, '2\r\n{}XX')}`, 2);
    expect(statuses).toEqual([200, 400]);
  });

  test('continued garbage is refused only once', async () => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const ended = new Promise((resolve) =>
      socket
        .on('data', (part) => {
          text += part.toString('latin1');
        })
        .on('close', resolve)
        .on('error', () => undefined),
    );
    socket.write(get(''));
    for (let at = 0; at < 20; at += 1)
      await new Promise((resolve) => socket.write('\0'.repeat(1000), resolve));
    await ended;
    expect(text.match(/HTTP\/1\.1 400/g)).toHaveLength(1);
  });
});
