import { describe, expect, it } from 'vitest';
import { normalUrl, publicUrlProblem } from '../../../src/lib/net/public-url.ts';

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
    'https://müller.example/日本?q=müller',
    'https://example.com/👩\u200d💻',
    'https://example.com./a',
    'https:e.example',
    'https:/e.example/a',
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
    [`https://example.com/${'日'.repeat(300)}`, 'invalid'],
    ['https://example.com/\ud800', 'invalid'],
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
    ['http://[::7f00:1]', 'private'],
    ['http://[::127.0.0.1]', 'private'],
    ['http://[::8.8.8.8]', 'private'],
    ['http://[2002:7f00:1::]', 'private'],
    ['http://[fec0::1]', 'private'],
    ['http://127.0.0.1.', 'private'],
    ['http://①②⑦.0.0.1', 'private'],
    ['http://0x7f.1', 'private'],
    ['http://localhost.', 'private'],
    ['http://printer.LOCAL.', 'private'],
    ['http://ｌocalhost', 'private'],
    ['http://a.localdomain', 'private'],
    ['http://expyuzz4wqqyqhjn.onion/', 'private'],
    ['http://[fe80::1]', 'private'],
    ['https://svc.example.com/q/abc', 'own'],
    ['https://svc.example.com/login?next=/q/abc', 'own'],
    ['https://svc.example.com/%6Cogin/?a=1&next=%2Fn%2Fabc', 'own'],
    ['https://svc.example.com/login?next=%2Flogin%3Fnext%3D%2Fq%2Fabc', 'own'],
    ['https://svc.example.com/login?next=/account', undefined],
    ['http://SVC.example.com:81/Q/abc', 'own'],
    ['https://svc.example.com//q/abc', 'own'],
    ['https://svc.example.com/%71/abc', 'own'],
    ['https://svc.example.com/a/../n/abc', 'own'],
    ['https://svc.example.com./q/abc', 'own'],
    ['https://svc.example.com.:443/n/abc', 'own'],
    ['https://ＳＶＣ.example.com/q/abc', 'own'],
    ['https:svc.example.com/q/abc', 'own'],
    ['https:/svc.example.com/q/abc', 'own'],
  ])('may not be %s (%s)', (url, reason) => {
    expect(problem(url)).toBe(reason);
  });
});

describe('a web address as it is stored', () => {
  it.each([
    ['https://EXAMPLE.com', 'https://example.com/'],
    ['https://müller.example/', 'https://xn--mller-kva.example/'],
    ['https://example.com/日本', 'https://example.com/%E6%97%A5%E6%9C%AC'],
    ['https://example.com?q=müller#für', 'https://example.com/?q=m%C3%BCller#f%C3%BCr'],
    ['https://example.com:443/a/../b', 'https://example.com/b'],
    ['https:e.example', 'https://e.example/'],
    ['https:/e.example/a?b', 'https://e.example/a?b'],
    ['http://0x8.8.8.8/', 'http://8.8.8.8/'],
    ['https://example.com/?q="<>', 'https://example.com/?q=%22%3C%3E'],
  ])('is %s → %s', (text, stored) => {
    expect(normalUrl(text)).toBe(stored);
    expect(normalUrl(stored)).toBe(stored);
  });

  it.each([
    'https://alt.example/s.php?q=M%FCller&x=1',
    "https://b.example/f?d=a%20b~c&flag&X-Sig='1'",
    'https://c.example/?a=1;b=2&c=%c3%bc+[x]{y}|z',
    'https://d.example/?',
    'https://d.example/?a',
    'https://d.example/?a#b?c#d',
    'https://d.example/%7Ea%2fb',
    'https://d.example/#',
  ])('keeps the text of %s', (text) => {
    expect(normalUrl(text)).toBe(text);
  });

  it.each(['javascript:alert(1)', 'https://a:b@c.example/', 'a b', 'https://e.example/\t'])(
    'is nothing for %j',
    (text) => {
      expect(normalUrl(text)).toBeUndefined();
    },
  );
});
