import { afterAll, describe, expect, test } from 'vitest';
import { forwardedAddresses } from '../../../../src/platform/http/connections/forwarded-for.ts';
import { createTestHttp, withPublicRoutes } from '../../../support/http.ts';

describe('X-Forwarded-For', () => {
  test.each([
    ['203.0.113.9', ['203.0.113.9']],
    ['198.51.100.1, 203.0.113.9', ['198.51.100.1', '203.0.113.9']],
    ['203.0.113.9:50012', ['203.0.113.9']],
    ['[2001:db8::1]:443', ['2001:db8::1']],
    ['[2001:db8::1]', ['2001:db8::1']],
    ['"[2001:db8::1]:443"', ['2001:db8::1']],
    ['2001:db8::1', ['2001:db8::1']],
    ['::ffff:203.0.113.9', ['::ffff:203.0.113.9']],
    ['fe80::1%eth0', ['fe80::1%eth0']],
    ['198.51.100.1,,203.0.113.9,', ['198.51.100.1', '203.0.113.9']],
    ['unknown, 203.0.113.9', ['203.0.113.9']],
    ['198.51.100.1, unknown, 203.0.113.9', ['203.0.113.9']],
    ['198.51.100.1, <script>', []],
    ['unknown', []],
    ['_hidden', []],
    ['127.1', []],
    ['0x7f.0.0.1', []],
    ['2130706433', []],
    ['[203.0.113.9]:80', []],
    ['203.0.113.9:', []],
    ['203.0.113.9:123456', []],
    ['', []],
    [' , ', []],
    ['a'.repeat(8000), []],
  ])('%j names %j', (header, addresses) => {
    expect(forwardedAddresses(header)).toEqual(addresses);
  });

  describe('behind a proxy on this machine', async () => {
    const http = createTestHttp({ TRUST_PROXY: '127.0.0.1' });
    await withPublicRoutes(http, (routes) => void routes.get('/', ({ ip }) => ({ ip })));
    afterAll(() => http.app.close());
    const ipOf = async (header: string) =>
      (
        await http.app.inject({
          url: '/',
          remoteAddress: '127.0.0.1',
          headers: { 'x-forwarded-for': header },
        })
      ).json<{ ip: string }>().ip;

    test('a client is identified by its address, without a port from the proxy', async () => {
      expect(await ipOf('203.0.113.9:50012')).toBe('203.0.113.9');
      expect(await ipOf('[2001:db8::1]:443')).toBe('2001:db8::1');
      expect(await ipOf('198.51.100.1, 203.0.113.9:1')).toBe('203.0.113.9');
    });

    test('an invalid entry counts as the proxy, never as its text', async () => {
      for (const header of ['unknown', '<script>', '198.51.100.1, 127.1', 'x'.repeat(500)])
        expect(await ipOf(header)).toBe('127.0.0.1');
    });
  });
});
