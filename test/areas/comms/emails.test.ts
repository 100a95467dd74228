import { houseColors } from '../../../src/platform/brand/accent.ts';
import { brandNamed } from '../../support/brand.ts';
import { describe, expect, it } from 'vitest';
import { renderTemplate } from '../../../src/areas/comms/templates.ts';
import { smsSegments, toGsm7 } from '../../../src/lib/text/gsm7.ts';
import { mailColorsOf } from '../../../src/platform/ui/mail/style.ts';
import { type Sample, sampleEmails } from './sample-emails.ts';

interface Mail extends Sample {
  subject: string;
  text: string;
  html: string;
}

const app = 'Acme & <Sons>';
const emails = (await sampleEmails()).map((sample) => {
  const { subject, text, html } = renderTemplate(
    sample.template,
    'email',
    sample.params,
    brandNamed(app)(),
  );
  return { ...sample, subject: subject ?? '', text, html: html?.() ?? '' };
});

const mailNamed = (name: string): Mail =>
  emails.find((mail) => mail.name === name) ?? expect.fail(`no email ${name}`);

const decode = (html: string): string =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

/** What a reader sees of the HTML part, without the preheader and the brand. */
function shownIn(html: string): string {
  const body = html.slice(html.indexOf('<h1'));
  return decode(body.replace(/&nbsp;/g, ' ').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

const preheaderOf = (html: string): string =>
  decode(/<div style="display:none[^"]*">([^<]*)<\/div>/.exec(html)?.[1] ?? '');
const words = (text: string): string[] => text.match(/[\p{L}\d][\p{L}\d.,/-]*/gu) ?? [];

describe('every email', () => {
  it('says the same in both parts', () => {
    for (const { name, text, html } of emails) {
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => decode(url));
      expect(links, name).toEqual(text.match(/https?:\/\/\S+/g) ?? []);
      const wordsOf = (said: string) => words(said).map((word) => word.replace(/\.$/, ''));
      const told = wordsOf(text.replace(/https?:\/\/\S+/g, ''));
      expect(told.toSorted(), name).toEqual(wordsOf(shownIn(html)).toSorted());
    }
  });

  it('has a preheader of 80 to 100 characters that is not the subject', () => {
    for (const { name, html, subject } of emails) {
      const preheader = preheaderOf(html);
      // Updates without text have nothing more to say.
      const least = name === 'status-maintenance' ? 1 : 80;
      expect(preheader.length, name).toBeGreaterThanOrEqual(least);
      expect(preheader.length, name).toBeLessThanOrEqual(100);
      expect(preheader).not.toBe(subject);
    }
  });

  it('is small, has no script or remote file, one picture of its own, and a dark mode', () => {
    for (const { name, html } of emails) {
      expect(Buffer.byteLength(html), name).toBeLessThanOrEqual(40_000);
      expect(html, name).not.toMatch(/<(?:script|svg|link|iframe)|url\(|\son\w+=/);
      expect(html.match(/<img [^>]*src="[^"]*"/g), name).toEqual(['<img src="cid:logo@brand"']);
      for (const part of [
        '<meta name="color-scheme" content="light dark">',
        '<meta name="supported-color-schemes" content="light dark">',
        ':root{color-scheme:light dark',
        '@media (prefers-color-scheme:dark)',
      ])
        expect(html, name).toContain(part);
      expect(html, name).not.toMatch(/<table(?! role="presentation")/);
    }
  });

  it('escapes names, once', () => {
    for (const { name, html } of emails) {
      expect(html, name).not.toMatch(/<(?:Sons|laptop|some|2)>/);
      expect(html, name).not.toMatch(/&amp;(?:amp|lt|gt|quot|#39);/);
      expect(html, name).toContain('Acme &amp; &lt;Sons&gt;');
    }
    expect(mailNamed('device-new').html).toContain('Zoë’s &lt;laptop&gt; &amp; &quot;phone&quot;');
  });
});

it('a code is in body and preheader in one piece, and not in the subject', () => {
  const { subject, text, html } = mailNamed('code');
  expect(subject).not.toContain('480153');
  expect(preheaderOf(html)).toContain('480153');
  expect(text).toContain('\n\n480153\n\n');
  expect(html).toMatch(/font-size:28px[^>]*>480153<\/p>/);
});

it('a weekly report has a headline, six figures, seven days and the top of each list', () => {
  const { subject, text } = mailNamed('report-weekly');
  expect(subject).toBe('Weekly report for shop.example: 2,389 visitors, up 0.8%');
  expect(text).toContain('Bounce rate: 36.6% (-0.4 pp)\n');
  expect(text).toContain('\n\nVisitors by day\nMon 19: 402\nTue 20: 371\n');
  expect(text).toContain('\n\nTop pages\n/: 1,204 visitors, 1,510 views\n');
  expect(text).toContain('\n\nView dashboard:\nhttps://svc.example/');
});

it('a monthly report has the weeks of the month, of which the first can be a part', () => {
  const { text, html } = mailNamed('report-monthly');
  expect(text).toContain(
    '\n\nVisitors by week\nOct 1: 402\nOct 5: 371\nOct 12: 388\nOct 19: 290\n',
  );
  // Without access to the console, the only link is the one to unsubscribe.
  expect(html.match(/href="/g)).toHaveLength(1);
});

describe('an SMS', () => {
  it('with a code or a notice is one segment, also with other letters in the name', async () => {
    const samples = await sampleEmails();
    for (const name of ['code', 'backup-code']) {
      const { template, params } = samples.find((each) => each.name === name) ?? expect.fail();
      for (const service of ['Acme', 'Platform Service', 'Código “A” – ç']) {
        const { text } = renderTemplate(template, 'sms', params, brandNamed(service)());
        expect(smsSegments(text), `${name} by ${service}`).toBe(1);
      }
    }
  });

  it('has the code bound to the host in its last line', () => {
    const params = { code: '480153', minutes: '10', host: 'svc.example' };
    const { text } = renderTemplate('sign_in_code', 'sms', params, brandNamed('Código')());
    expect(text).toBe('Codigo code: 480153. Do not share it.\n@svc.example #480153');
  });

  it('keeps letters of other scripts', () => {
    expect(toGsm7('été à l’œuvre 12 345 – Привет')).toBe("été à l'œuvre 12 345 - Привет");
  });

  it.each([
    ['a', 160],
    ['€', 80],
    ['ш', 70],
  ])('of the letter %s has %i of them in one segment', (letter, most) => {
    expect(smsSegments(letter.repeat(most))).toBe(1);
    expect(smsSegments(letter.repeat(most + 1))).toBe(2);
  });
});

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const mailColors = mailColorsOf(houseColors);

it.each([
  ['light', 0],
  ['dark', 1],
] as const)('text of emails has a contrast of at least 4.5 to 1 in %s mode', (_name, mode) => {
  const between = (one: keyof typeof mailColors, other: keyof typeof mailColors) =>
    contrast(mailColors[one][mode], mailColors[other][mode]);
  for (const text of ['text', 'soft', 'link', 'good', 'bad'] as const)
    for (const ground of ['page', 'surface'] as const)
      expect(between(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  expect(between('onAccent', 'accent')).toBeGreaterThanOrEqual(4.5);
  expect(between('series', 'surface')).toBeGreaterThanOrEqual(3);
});
