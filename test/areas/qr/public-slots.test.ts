import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { QrStyle } from '../../../src/areas/qr/drawing/style.ts';
import { createPictures } from '../../../src/areas/qr/pictures/service.ts';
import { usesPublicSlots } from '../../../src/areas/qr/pictures/public-slots.ts';
import { asAdmin } from '../../support/app.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { type QrClient, qrClient } from './support.ts';

const [plain, blue] = [QrStyle.parse({}), QrStyle.parse({ foreground: '#0b3d91' })];
const large = { format: 'png', size: 2048 } as const;

describe('pictures for anonymous clients', () => {
  it('keep nobody else waiting, however many they are', async () => {
    let finish: () => void = () => undefined;
    const checked = new Promise<undefined>((resolve) => (finish = () => resolve(undefined)));
    const pictures = createPictures({
      logos: { find: () => Promise.resolve(undefined) },
      readability: { check: () => checked },
    });
    const asked = Array.from({ length: 40 }, (_, at) =>
      pictures.drawAny({ text: `${at}`, style: blue }, large, true).then(
        () => 'drawn',
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      ),
    );
    const own = await Promise.all(
      Array.from({ length: 20 }, () => pictures.draw({ text: 'A', style: plain }, large)),
    );
    expect(own).toHaveLength(20);
    finish();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer === 'drawn')).toHaveLength(13);
    expect(answers.filter((answer) => answer === 'qr.busy')).toHaveLength(27);
  });
});

describe('a stranger', () => {
  it.each([
    ['nobody', undefined, true],
    ['somebody without a role', { kind: 'user', roles: [] }, true],
    ['a viewer', { kind: 'user', roles: ['viewer'] as const }, false],
    ['an API key', { kind: 'api_key' }, false],
  ])('is %s: %j is %s', (_name, principal, expected) => {
    expect(usesPublicSlots(principal)).toBe(expected);
  });
});

describe('a picture of any text', () => {
  let qr: QrClient;
  beforeAll(async () => {
    qr = qrClient(await sharedApp('named'));
  }, 60_000);
  const path = '/api/v1/qr?text=Table&format=png&size=2048';

  it('is not sent again to who has it', async () => {
    const first = await qr.client.get(path);
    expect(first.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': expect.stringContaining('sandbox') as string,
    });
    const headers = { 'if-none-match': String(first.headers.etag) };
    const again = await qr.client.get(path, { headers });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await qr.client.get(path.replace('Table', 'Chair'), { headers })).status).toBe(200);
  });

  it('has one bit for each pixel, which is fast to draw', async () => {
    const { bytes } = await qr.client.get(path);
    const { width, height } = await sharp(bytes).metadata();
    expect({ width, height }).toEqual({ width: 2048, height: 2048 });
    // The depth of IHDR (ISO/IEC 15948 §11.2.1).
    expect(bytes[24]).toBe(1);
  });

  it('is for API keys as well, and not for invalid ones', async () => {
    expect((await qr.client.as(asAdmin).get(path)).status).toBe(200);
    const headers = { authorization: 'Bearer sk_nobody' };
    expect((await qr.client.get(path, { headers })).status).toBe(401);
  });
});
