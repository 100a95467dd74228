import { z } from 'zod';
import { NfcTagChangeBody, type NfcTagView } from '../../../areas/nfc/schemas.ts';
import { asAttachment, type ConsoleRoutesOptions } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { readGroups } from './alarm-groups.ts';
import { alarmsTab } from './alarms-tab.tsx';
import { AlarmDone } from './alarms-page.tsx';
import type { TagSheet } from './encoding-parts.tsx';
import { readTarget, requireTarget } from './new-tag-form.ts';
import { type TagTab, tagPath, tagsPath, writePath } from './nfc-paths.ts';
import { settingsTab } from './settings-tab.tsx';
import { deleteTagPage, type TagFrame, tagPage } from './tag-page.tsx';
import { tapPeriods, tapsTab } from './taps-tab.tsx';
import { texts } from './texts/en.ts';
import { writePage } from './write-page.tsx';

const Params = z.object({ id: z.uuid().toLowerCase() });
const errors = ['nfc.tag_not_found'];
/** What the form of the settings has. */
const SettingsBody = NfcTagChangeBody.omit({ active: true, uid: true });
const uid = z
  .string()
  .regex(/^[\da-f]{14}$/i)
  .toUpperCase();

/** The frame of the page of a tag, and its open alarms. */
async function frameOf(
  { nfc, nfcAlarms }: ConsoleRoutesOptions,
  id: string,
): Promise<Pick<TagFrame, 'tag' | 'alarms'> & { groups: Awaited<ReturnType<typeof readGroups>> }> {
  const [tag, groups] = await Promise.all([
    nfc.tags.get(id),
    readGroups(nfcAlarms, { resolved: false, tagId: id }),
  ]);
  return { tag, groups, alarms: groups.length };
}

/** How a tag is encoded, and the code that opens the page which writes it. */
async function sheetOf({ nfc, baseUrl }: ConsoleRoutesOptions, tag: NfcTagView): Promise<TagSheet> {
  const { toString: toQrCode } = await import('qrcode');
  const svg = await toQrCode(baseUrl + writePath(tag.id), { type: 'svg', margin: 2 });
  return {
    tag,
    sheet: await nfc.encoding.ndef(tag.id),
    picture: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  };
}

const summaries: Readonly<Record<TagTab, string>> = {
  taps: 'Console: an NFC tag',
  alarms: 'Console: alarms of an NFC tag',
  settings: 'Console: settings of an NFC tag',
};

const tabRoutes = [
  page({
    id: 'console.nfc_tag',
    path: '/api/svc/console/nfc/:id',
    summary: summaries.taps,
    params: Params,
    query: z.object({ done, period: z.enum(tapPeriods).default('30d') }),
    errors,
    async show(context, { id, done: doneKey, period }, { requester }) {
      const { tag, alarms } = await frameOf(context, id);
      const figures = await context.nfc.figures.ofTag(tag, period, requester);
      const children = tapsTab({ tag, period, figures, alarms });
      return tagPage({ tag, alarms, done: doneKey, tab: 'taps', children });
    },
  }),
  page({
    id: 'console.nfc_tag_alarms',
    path: '/api/svc/console/nfc/:id/alarms',
    summary: summaries.alarms,
    params: Params,
    query: AlarmDone,
    errors,
    async show(context, { id, ...query }) {
      const { tag, alarms, groups } = await frameOf(context, id);
      const { notice, children } = alarmsTab(groups, query);
      return tagPage({ tag, alarms, done: undefined, notice, tab: 'alarms', children });
    },
  }),
  page({
    id: 'console.nfc_tag_encoding',
    path: '/api/svc/console/nfc/:id/encoding',
    summary: 'Console: where the encoding of an NFC tag was',
    params: Params,
    show: (_context, { id }, { reply }) => reply.redirect(writePath(id), 302),
  }),
  page({
    id: 'console.nfc_tag_settings',
    path: '/api/svc/console/nfc/:id/settings',
    summary: summaries.settings,
    params: Params,
    query: z.object({ done }),
    errors,
    async show(context, { id, done: doneKey }) {
      const { tag, alarms } = await frameOf(context, id);
      const sites = context.sites.list().map(({ key }) => key);
      const children = settingsTab({ tag, sites });
      return tagPage({ tag, alarms, done: doneKey, tab: 'settings', children });
    },
  }),
];

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Sheets for encoders, which are files for programs. */
const sheetRoutes = [
  page({
    id: 'console.nfc_tag_sheet',
    path: '/api/svc/console/nfc/:id/encoding/sheet',
    summary: 'Console: encoding sheet of an NFC tag',
    params: Params,
    errors,
    async show({ nfc }, { id }, { reply }) {
      const [{ code }, sheet] = await Promise.all([nfc.tags.get(id), nfc.encoding.sheet(id)]);
      return asAttachment(reply, `${code}-encoding.json`)
        .type('application/json')
        .send(json(sheet));
    },
  }),
  page({
    id: 'console.nfc_tag_keys',
    path: '/api/svc/console/nfc/:id/encoding/keys',
    summary: 'Console: encoding sheet of an NFC tag, with its keys',
    params: Params,
    query: z.object({ uid: uid.or(z.literal('').transform(() => undefined)).optional() }),
    errors: [...errors, 'nfc.not_sun', 'nfc.keys_unreadable'],
    async show({ nfc, guards }, { id, uid: given }, { reply, request, by }) {
      guards.requireFresh(request);
      const [{ code }, sheet] = await Promise.all([
        nfc.tags.get(id),
        nfc.encoding.sheetWithKeys(id, { uid: given, by }),
      ]);
      return asAttachment(reply, `${code}-encoding-with-keys.json`)
        .type('application/json')
        .send(json(sheet));
    },
  }),
];

const writeRoute = page({
  id: 'console.write_nfc_tag',
  path: '/api/svc/console/nfc/:id/write',
  summary: 'Console: write to an NFC tag',
  params: Params,
  query: z.object({ done }),
  errors,
  async show(context, { id, done: doneKey }) {
    const tag = await context.nfc.tags.get(id);
    return writePage({ ...(await sheetOf(context, tag)), done: doneKey });
  },
});

const deletionRoute = page({
  id: 'console.nfc_tag_deletion',
  path: '/api/svc/console/nfc/:id/delete',
  summary: 'Console: form that deletes an NFC tag',
  params: Params,
  errors,
  show: async ({ nfc }, { id }) => deleteTagPage(await nfc.tags.get(id)),
});

const changeForms = [
  form({
    id: 'console.set_nfc_tag_state',
    path: '/api/svc/console/nfc/:id/state',
    summary: 'Form: pause or resume an NFC tag',
    params: Params,
    body: z.object({ active: z.boolean() }),
    run: ({ nfc }, { id, active }, { by }) => nfc.tags.update(id, { active }, by),
    to: ({ id }) => tagPath(id),
    done: ({ active }) => (active ? 'resumed' : 'paused'),
  }),
  form({
    id: 'console.set_nfc_tag_target',
    path: '/api/svc/console/nfc/:id/target',
    summary: 'Form: change the target of an NFC tag',
    params: Params,
    body: NfcTagChangeBody.pick({ target: true }),
    read: readTarget,
    run({ nfc, baseOrigin }, { id, target }, { by }) {
      requireTarget({ target }, baseOrigin);
      return nfc.tags.update(id, { target }, by);
    },
    to: ({ id }) => tagPath(id),
    done: 'target',
  }),
  form({
    id: 'console.update_nfc_tag',
    path: '/api/svc/console/nfc/:id/settings',
    summary: 'Form: change the settings of an NFC tag',
    params: Params,
    body: SettingsBody,
    read: readTarget,
    run({ nfc, baseOrigin }, { id, ...changes }, { by }) {
      requireTarget(changes, baseOrigin);
      return nfc.tags.update(id, changes, by);
    },
    to: ({ id }) => tagPath(id, 'settings'),
    done: 'updated',
  }),
  form({
    id: 'console.delete_nfc_tag',
    path: '/api/svc/console/nfc/:id/delete',
    summary: 'Form: delete an NFC tag',
    params: Params,
    word: texts.settings.word,
    run: ({ nfc }, { id }, { by }) => nfc.tags.delete(id, by),
    to: tagsPath,
    done: 'deleted',
  }),
];

/** The page of a tag with its parts, the page that writes it, and the forms on them. */
export const tagRoutes = [...tabRoutes, ...sheetRoutes, writeRoute, deletionRoute, ...changeForms];
