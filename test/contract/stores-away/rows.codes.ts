import { asAdmin, browser } from '../../support/app.ts';
import { randomUid } from '../../areas/nfc/support.ts';
import { needsBoth, needsPostgres, needsRedis, neither, row, type Row } from './rows.ts';
import type { World } from './world.ts';

const headers = asAdmin;
const asPhone = { 'user-agent': browser, accept: 'text/html' };
const asCsv = { ...asAdmin, 'content-type': 'text/csv' };
const body = { name: 'Spring', url: 'https://example.com/spring' };
const redirected = { usual: 302 };

const toCode = async ({ qr }: World) => ({ headers, params: { id: (await qr.create()).id } });
const toTag = async (world: World) => ({ headers, params: { id: await world.tag() } });
const toAlarm = async (world: World) => ({ headers, params: { id: await world.alarm() } });

/** A request of a phone that scans a code. */
const scanOf = async ({ qr }: World, change: object) => ({
  headers: asPhone,
  params: { code: (await qr.create(change)).code },
});

/** QR codes: those that were scanned lately work without a store. */
export const qrRows: readonly Row[] = [
  row('qr.draw', needsRedis, () => ({
    query: { text: 'Hello' },
  })),
  row('qr.open', neither, async (world) => ({ ...(await scanOf(world, {})), isSentBefore: true }), {
    about: 'of a code that was scanned lately',
    ...redirected,
  }),
  row('qr.open', needsPostgres, (world) => scanOf(world, {}), {
    about: 'of a code that nobody has scanned',
    ...redirected,
  }),
  row(
    'qr.open',
    needsPostgres,
    async (world) => ({ ...(await scanOf(world, { scan_limit: 5 })), isSentBefore: true }),
    { about: 'of a code with a scan limit', ...redirected },
  ),
  row('qr.enter_password', needsBoth, async ({ qr }) => {
    const { code } = await qr.create({ password: 'open sesame' });
    return { params: { code }, form: { password: 'open sesame' } };
  }),
  row('qrCodes.list', needsPostgres, () => ({ headers })),
  row('qrCodes.get', needsPostgres, toCode),
  row('qrCodes.create', needsPostgres, () => ({ headers, body })),
  row('qrCodes.update', needsPostgres, async (world) => ({
    ...(await toCode(world)),
    body: { url: 'https://example.com/summer' },
  })),
  row('qrCodes.delete', needsPostgres, toCode),
  row('qrCodes.bulk', needsPostgres, async ({ qr }) => ({
    headers,
    body: { ids: [(await qr.create()).id], set: { active: false } },
  })),
  row('qrCodes.export', needsPostgres, () => ({ headers })),
  row('qrCodes.import', needsPostgres, () => ({
    headers: asCsv,
    body: 'name,url\nSpring,https://example.com/spring\n',
  })),
  row(
    'qrCodes.create_batch',
    needsPostgres,
    () => ({ headers: asCsv, body: 'name,url\nSpring,https://example.com/spring\n' }),
    { usual: 202 },
  ),
  row('qrCodes.list_batches', needsPostgres, () => ({ headers })),
  row('qrCodes.get_batch', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.batch() },
  })),
  row('qrCodes.list_targets', needsPostgres, toCode),
  row('qrCodes.restore', needsPostgres, async ({ qr }) => {
    const { id } = await qr.create();
    await qr.codes.patch(`/${id}`, { url: 'https://example.com/summer' });
    return { headers, params: { id } };
  }),
  row('qrCodes.get_svg', needsPostgres, toCode),
  row('qrCodes.get_png', needsPostgres, toCode),
  row('qrCodes.get_pdf', needsPostgres, toCode),
  row('qrCodes.print_sheet', needsPostgres, async ({ qr }) => ({
    headers,
    body: { ids: [(await qr.create()).id], paper: 'a4', layout: 'l7160' },
  })),
  row('qrCodes.get_batch_images', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.batch() },
  })),
  row('qrCodes.add_logo', needsBoth, async (world) => ({
    headers: { ...headers, 'content-type': 'image/png' },
    body: await world.png(),
  })),
  row('qrCodes.list_logos', needsPostgres, () => ({ headers })),
  row('qrCodes.get_logo', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.logo() },
  })),
  row(
    'qrCodes.delete_logo',
    needsPostgres,
    async (world) => ({ headers, params: { id: await world.logo() } }),
    { usual: 204 },
  ),
  row('qrCodes.get_stats', needsPostgres, toCode),
];

/** NFC tags: every tap counts in the database, once. */
export const nfcRows: readonly Row[] = [
  row('nfc.tap', needsPostgres, async ({ nfc }) => {
    const tag = await nfc.createSun();
    return {
      params: { code: tag.code },
      query: Object.fromEntries(new URLSearchParams(tag.at(1))),
    };
  }),
  row('nfc.jwks', neither, () => ({})),
  row('nfcTags.list', needsPostgres, () => ({ headers })),
  row('nfcTags.get', needsPostgres, toTag),
  row('nfcTags.create', needsPostgres, () => ({
    headers,
    body: { name: 'Door', chip: 'ntag424', mode: 'sun' },
  })),
  row('nfcTags.update', needsPostgres, async (world) => ({
    ...(await toTag(world)),
    body: { name: 'Gate' },
  })),
  row('nfcTags.delete', needsPostgres, toTag),
  row('nfcTags.bulk', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.tag()], set: { active: false } },
  })),
  row('nfcTags.export', needsPostgres, () => ({ headers })),
  row('nfcTags.import', needsPostgres, () => ({
    headers: asCsv,
    body: 'name,chip,mode\nDoor,ntag424,sun\n',
  })),
  row('nfcTags.get_ndef', needsPostgres, toTag),
  row('nfcTags.get_encoding', needsBoth, toTag),
  row('nfcTags.reencode', needsBoth, async (world) => ({
    ...(await toTag(world)),
    body: { uid: randomUid() },
  })),
  row('nfcAlarms.list', needsPostgres, () => ({ headers })),
  row('nfcAlarms.get', needsPostgres, toAlarm),
  row('nfcAlarms.update', needsPostgres, async (world) => ({
    ...(await toAlarm(world)),
    body: { resolved: true },
  })),
  row('nfcAlarms.bulk', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.alarm()], set: { resolved: true } },
  })),
  row('nfcAlarms.export', needsPostgres, () => ({ headers })),
  row('nfcKeys.list', needsPostgres, () => ({ headers })),
  row('nfcKeys.rotate', needsBoth, () => ({ headers })),
];
