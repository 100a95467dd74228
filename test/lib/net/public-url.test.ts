import { describe, expect, it } from 'vitest';
import { publicUrlProblem } from '../../../src/lib/net/public-url.ts';

const own = 'https://svc.example.com';
const problem = (url: string) => publicUrlProblem(url, own);

describe('the target of a public link', () => {
  it.each([
    'https://example.com',
    'http://example.com:8080/a?b=c#d',
    'https://xn--mnchen-3ya.example/ü',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://svc.example.com/waitlist',
    'https://svc.example.com/quick',
    'https://example.com/q/abc',
  ])('may be %s', (url) => {
    expect(problem(url)).toBeUndefined();
  });

  it.each([
    ['/path', 'invalid'],
    ['example.com', 'invalid'],
    [' https://example.com', 'invalid'],
    ['https://exam\nple.com', 'invalid'],
    ['java\tscript:alert(1)', 'invalid'],
    ['https:\\\\example.com', 'invalid'],
    ['https://example.com/\u202Egnp.exe', 'invalid'],
    [`https://example.com/${'a'.repeat(2048)}`, 'invalid'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,<script>1</script>', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.com', 'scheme'],
    ['https://google.com@evil.example', 'credentials'],
    ['https://user:secret@example.com', 'credentials'],
    ['http://localhost:3000', 'private'],
    ['http://a.localhost', 'private'],
    ['http://printer.local', 'private'],
    ['http://db.internal.', 'private'],
    ['http://intranet', 'private'],
    ['http://127.0.0.1', 'private'],
    ['http://127.1', 'private'],
    ['http://2130706433', 'private'],
    ['http://0x7f000001', 'private'],
    ['http://0177.0.0.1', 'private'],
    ['http://10.1.2.3', 'private'],
    ['http://172.16.0.1', 'private'],
    ['http://192.168.1.1', 'private'],
    ['http://169.254.169.254/latest/meta-data', 'private'],
    ['http://100.64.0.1', 'private'],
    ['http://0.0.0.0', 'private'],
    ['http://[::1]', 'private'],
    ['http://[::ffff:10.0.0.1]', 'private'],
    ['http://[64:ff9b::a00:1]', 'private'],
    ['http://[fd00::1]', 'private'],
    ['http://[fe80::1]', 'private'],
    ['https://svc.example.com/q/abc', 'own'],
    ['http://SVC.example.com:81/Q/abc', 'own'],
    ['https://svc.example.com//q/abc', 'own'],
    ['https://svc.example.com/%71/abc', 'own'],
    ['https://svc.example.com/a/../n/abc', 'own'],
  ])('may not be %s (%s)', (url, reason) => {
    expect(problem(url)).toBe(reason);
  });
});
