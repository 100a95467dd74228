import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { createLogoEncoder, type Logo } from '../../../../src/areas/qr/drawing/logo.ts';
import { encodeQr, type QrLevel, qrLevels } from '../../../../src/areas/qr/drawing/matrix.ts';
import { drawPng } from '../../../../src/areas/qr/drawing/png.ts';
import { eyeShapes, moduleShapes, QrStyle } from '../../../../src/areas/qr/drawing/style.ts';
import { checkStyle } from '../../../../src/areas/qr/drawing/style-check.ts';
import { QrContent } from '../../../../src/areas/qr/payloads/contents.ts';
import { payloadOf } from '../../../../src/areas/qr/payloads/payload.ts';
import { loadDecoders } from '../../../../src/areas/qr/reading/decoders.ts';
import { mulberry32 } from '../../../../src/commands/demo/random.ts';
import { dividerText, hasProgram, pixelsOf, zbarimg } from '../../../support/qr-images.ts';
import { rounds } from '../../../support/rounds.ts';

// Each is drawn at four levels.
const payloads = rounds(36, 500);
const filesAtOnce = 100;
const timeoutMs = 600_000;

/** Numbers from 0 to 1 that are the same in each run. */
const random = mulberry32(2027);
const below = (end: number): number => Math.floor(random() * end);
const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const foreign = [...'äöüßéñçœłżćğΑΒΓабвгд日本語中文한글😀✓،ع'];
const word = (length: number, from = letters): string =>
  Array.from({ length }, () => pick(from)).join('');

/** Contents of every type, from a few characters to what fits into level H. */
function makeContent(at: number): QrContent {
  const name = word(3 + below(8));
  const long = below(10) === 0 ? 700 : 90;
  const kinds: (() => object)[] = [
    () => ({ type: 'url', url: `https://svc.example/q/${word(4 + below(8))}` }),
    () => ({ type: 'url', url: `https://example.com/${word(1 + below(long))}?q=${word(5)}` }),
    () => ({ type: 'url', url: `HTTPS://EX.CO/${word(6).toUpperCase()}` }),
    () => ({ type: 'text', text: String(below(2 ** 40)) }),
    () => ({ type: 'text', text: `${word(1 + below(long / 2), foreign)}\n${word(3)}` }),
    () => ({ type: 'text', text: word(1 + below(60), [...'; , : " \\ & < > % # ? = é']) + 'x' }),
    () => ({ type: 'wifi', auth: 'WPA', ssid: `${name};"`, password: word(8 + below(40)) }),
    () => ({
      type: 'vcard',
      first_name: word(6, foreign),
      last_name: name,
      phones: [{ kind: 'cell', number: `+44${below(1e9)}123` }],
      emails: [`${name.toLowerCase()}@example.com`],
      url: `https://example.com/${name}`,
      note: word(1 + below(Math.min(long, 400))),
    }),
    () => ({ type: 'email', to: `${name}@example.com`, subject: word(9, foreign), body: name }),
    () => ({ type: 'sms', number: `+49${below(1e9)}45`, text: `${name}: ok?` }),
    () => ({ type: 'geo', latitude: 180 * random() - 90, longitude: 360 * random() - 180 }),
    () => ({ type: 'event', title: word(9, foreign), starts_at: '2026-05-04T12:34:56Z' }),
  ];
  return QrContent.parse(kinds[at % kinds.length]!());
}

const color = () =>
  `#${below(2 ** 24)
    .toString(16)
    .padStart(6, '0')}`;

/** A style that the check of styles admits: with any shapes, and the default colors or others. */
function makeStyle(level: QrLevel, logos: readonly string[]): QrStyle {
  for (;;) {
    const isColored = below(2) === 0;
    const style = QrStyle.parse({
      level,
      margin: pick([0, 1, 2, 4, 4, 4, 8, 16]),
      shape: pick(moduleShapes),
      eye_frame: pick(eyeShapes),
      eye_dot: pick(eyeShapes),
      ...(isColored && {
        foreground: color(),
        background: pick(['transparent', '#ffffff', color(), color()]),
        eye_color: pick([null, color()]),
      }),
      logo: level === 'L' ? null : pick([null, ...logos]),
    });
    if (checkStyle(style) === undefined) return style;
  }
}

async function makeLogos(): Promise<Map<string, Logo>> {
  const encode = createLogoEncoder();
  const noise = { width: 200, height: 200, channels: 3 as const };
  const background = (value: string) => ({ ...noise, background: value });
  const circle =
    '<svg width="300" height="200"><circle cx="150" cy="100" r="90" fill="#e11"/></svg>';
  const images = {
    black: sharp({ create: background('#000000') }),
    noise: sharp(Buffer.from(Array.from({ length: 200 * 200 * 3 }, () => below(256))), {
      raw: noise,
    }),
    circle: sharp(Buffer.from(circle)),
  };
  const logos = new Map<string, Logo>();
  for (const [name, image] of Object.entries(images)) {
    const logo = await encode(await image.png().toBuffer());
    if (typeof logo === 'string') throw new Error(logo);
    logos.set(name, logo);
  }
  return logos;
}

interface Drawn {
  text: string;
  /** What it looks like, for the report. */
  about: string;
  path: string;
  zxing: string[];
}

const folder = await mkdtemp(join(tmpdir(), 'qr-codes-'));
const readQr = await loadDecoders();
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Draws the code as PNG, on white, and has ZXing read it. Undefined if the text is too long. */
async function draw(text: string, style: QrStyle, logo?: Logo): Promise<Drawn | undefined> {
  const encoding = encodeQr(text, style.level, { forLogo: logo !== undefined });
  if (!encoding.fits) return undefined;
  const { matrix } = encoding;
  const modules = matrix.size + 2 * style.margin;
  const size = Math.max(pick([200, 400, 600, 1000]), 4 * modules);
  const png = await sharp(await drawPng(matrix, style, { size, logo }))
    .flatten({ background: '#ffffff' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const path = join(folder, `${word(12)}.png`);
  await writeFile(path, png);
  const about = `version ${matrix.version}, ${size} px, ${JSON.stringify(style)}`;
  return { text, about, path, zxing: (await readQr(await pixelsOf(png))).zxing };
}

async function findUnreadByZbar(drawn: readonly Drawn[]): Promise<string[]> {
  const divider = await draw(dividerText, QrStyle.parse({}));
  const unread: string[] = [];
  for (let from = 0; from < drawn.length; from += filesAtOnce) {
    const some = drawn.slice(from, from + filesAtOnce);
    const found = await zbarimg(
      some.map(({ path }) => path),
      divider!.path,
    );
    expect(found.length).toBe(some.length);
    some.forEach(({ text, about }, at) => {
      if (found[at]!.toString() !== text) unread.push(about);
    });
  }
  return unread;
}

it.skipIf(!hasProgram('zbarimg'))(
  `ZXing and zbarimg read ${payloads} payloads at every level, in all styles, with logos or not`,
  async () => {
    const logos = await makeLogos();
    const drawn: Drawn[] = [];
    let withLogo = 0;
    for (let at = 0; at < payloads; at += 1) {
      const text = payloadOf(makeContent(at));
      for (const level of qrLevels) {
        const wanted = makeStyle(level, [...logos.keys()]);
        const logo = wanted.logo === null ? undefined : logos.get(wanted.logo);
        // What is too long for a logo has none, and what is too long for its level is refused.
        const code =
          (await draw(text, wanted, logo)) ?? (await draw(text, { ...wanted, logo: null }));
        if (code === undefined) throw new Error(`${text.length} characters are too long`);
        if (logo !== undefined) withLogo += 1;
        drawn.push(code);
      }
    }
    expect(drawn.length).toBe(4 * payloads);
    expect(withLogo).toBeGreaterThan(payloads);
    const unreadByZxing = drawn.filter(
      ({ zxing, text }) => zxing.length !== 1 || zxing[0] !== text,
    );
    expect({
      zxing: unreadByZxing.map(({ about }) => about),
      zbar: await findUnreadByZbar(drawn),
    }).toEqual({ zxing: [], zbar: [] });
  },
  timeoutMs,
);
