import { z } from 'zod';
import { fileNameOf } from '../../../../areas/qr/codes/file-name.ts';
import { pictureTypes } from '../../../../areas/qr/pictures/service.ts';
import { UpdateQrCodeBody } from '../../../../areas/qr/schemas.ts';
import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import { withQuery } from '../../components/navigation.tsx';
import { FormError, FormValues, textOf } from '../../forms.ts';
import { asAttachment } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { done } from '../../schemas.ts';
import { campaignIn, passwordIn, scheduleIn } from '../contents/condition-form.ts';
import { targetOf } from '../contents/content-form.ts';
import { findCode } from '../find-code.ts';
import { codePath, codeTabs, qrPath } from '../qr-paths.ts';
import { choiceIn, choiceOf, styleOf } from '../style/style-form.ts';
import { texts } from '../texts/en.ts';
import { codeLabelsPage, deleteCodePage, renamePage } from './code-forms.tsx';
import { codePage } from './code-page.tsx';
import { ruleRoutes } from './routes.rules.ts';
import { shownPeriods } from './scans-tab.tsx';

const CodeParams = z.object({ id: z.uuid().toLowerCase() });
const ScansQuery = z.object({ done, period: z.enum(shownPeriods).default('30d').catch('30d') });
const TabQuery = z.object({ done });
const tab = z.enum(codeTabs).default('scans').catch('scans');
const Filled = z.object({ values: FormValues });
const filled = { body: Filled, read: (values: FormValues) => ({ values }) };
const errors = ['qr.not_found'];

/** Pixels; tenths of a millimeter for PDF. */
const fileSizes = { svg: 600, png: 1200, pdf: 500 } as const;

const pages = [
  page({
    id: 'console.qr_code',
    path: '/api/svc/console/qr/:id',
    summary: 'Console: QR code',
    params: CodeParams,
    query: ScansQuery,
    errors,
    show: (context, query, call) => codePage(context, { ...query, tab: 'scans' }, call),
  }),
  page({
    id: 'console.qr_code_targets',
    path: '/api/svc/console/qr/:id/targets',
    summary: 'Console: targets of a QR code',
    params: CodeParams,
    query: TabQuery,
    errors,
    show: (context, query, call) => codePage(context, { ...query, tab: 'targets' }, call),
  }),
  page({
    id: 'console.qr_code_style',
    path: '/api/svc/console/qr/:id/style',
    summary: 'Console: style of a QR code',
    params: CodeParams,
    query: TabQuery,
    errors,
    show: (context, query, call) => codePage(context, { ...query, tab: 'style' }, call),
  }),
  page({
    id: 'console.qr_code_settings',
    path: '/api/svc/console/qr/:id/settings',
    summary: 'Console: settings of a QR code',
    params: CodeParams,
    query: TabQuery,
    errors,
    show: (context, query, call) => codePage(context, { ...query, tab: 'settings' }, call),
  }),
  page({
    id: 'console.qr_picture',
    path: '/api/svc/console/qr/:id/picture',
    summary: 'Console: picture of a QR code',
    params: CodeParams,
    query: z.object({ format: z.enum(['svg', 'png', 'pdf']) }),
    errors: [...errors, 'qr.unreadable', 'qr.busy'],
    async show(context, { id, format }, { reply }) {
      const code = await findCode(context, id);
      const size = fileSizes[format];
      const picture = await context.qr.pictures.draw(code, { format, size, title: code.name });
      void reply.header('content-type', pictureTypes[format]);
      return asAttachment(reply, `${fileNameOf(code)}.${format}`).send(picture);
    },
  }),
];

/** Pages of forms, which open in a drawer. */
const formPages = [
  page({
    id: 'console.qr_code_name',
    path: '/api/svc/console/qr/:id/name',
    summary: 'Console: form that renames a QR code',
    params: CodeParams,
    errors,
    show: async (context, { id }) => renamePage(await findCode(context, id)),
  }),
  page({
    id: 'console.qr_code_labels',
    path: '/api/svc/console/qr/:id/labels',
    summary: 'Console: form for labels with a QR code',
    params: CodeParams,
    errors,
    show: async (context, { id }) => codeLabelsPage(await findCode(context, id)),
  }),
  page({
    id: 'console.qr_code_deletion',
    path: '/api/svc/console/qr/:id/delete',
    summary: 'Console: form that deletes a QR code',
    params: CodeParams,
    errors,
    show: async (context, { id }) => deleteCodePage(await findCode(context, id)),
  }),
];

/** Changes that the head of the page makes, whichever tab is open. */
const headForms = [
  form({
    id: 'console.rename_qr_code',
    path: '/api/svc/console/qr/:id/name',
    summary: 'Form: rename a QR code',
    params: CodeParams,
    body: z.object({ name: UpdateQrCodeBody.shape.name.unwrap(), tab }),
    run: ({ qr }, { id, name }, { by }) => qr.codes.update(id, { name }, by),
    to: ({ id, tab: at }) => codePath(id, at),
    done: 'renamed',
  }),
  form({
    id: 'console.switch_qr_code',
    path: '/api/svc/console/qr/:id/active',
    summary: 'Form: pause or resume a QR code',
    params: CodeParams,
    body: z.object({ active: z.stringbool(), tab }),
    run: ({ qr }, { id, active }, { by }) => qr.codes.update(id, { active }, by),
    to: ({ id, tab: at }) => codePath(id, at),
    done: ({ active }) => (active ? 'resumed' : 'paused'),
  }),
  form({
    id: 'console.retarget_qr_code',
    path: '/api/svc/console/qr/:id/target',
    summary: 'Form: change the target of a QR code',
    params: CodeParams,
    body: z.object({ url: z.string().default(''), tab }),
    run({ qr, baseOrigin }, { id, url }, { by }) {
      const target = targetOf(url === '' ? undefined : url, baseOrigin);
      if ('problem' in target)
        throw new FormError(target.problem, new Map([['url', target.problem]]));
      return qr.codes.update(id, { url: target.url }, by);
    },
    to: ({ id, tab: at }) => codePath(id, at),
    done: 'target',
  }),
  form({
    id: 'console.restore_qr_target',
    path: '/api/svc/console/qr/:id/restore',
    summary: 'Form: restore a previous target',
    params: CodeParams,
    body: z.object({
      target_id: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      tab,
    }),
    run: ({ qr }, { id, target_id: target }, { by }) => qr.targets.restore(id, target, by),
    to: ({ id, tab: at }) => codePath(id, at),
    done: 'restored',
  }),
];

const throwProblems = (problems: ReadonlyMap<string, string>): void => {
  if (problems.size > 0) throw new FormError(texts.problems.lead, problems);
};

/** The forms of the tabs. */
const tabForms = [
  form({
    id: 'console.style_qr_code',
    path: '/api/svc/console/qr/:id/style',
    summary: 'Form: change the style of a QR code',
    params: CodeParams,
    ...filled,
    async run(context, { id, values }, { by }) {
      const { text, style } = await findCode(context, id);
      const choice = choiceIn(values, choiceOf(QrStyle.parse(style), text));
      return context.qr.codes.update(id, { style: styleOf(choice, text) }, by);
    },
    to: ({ id }) => codePath(id, 'style'),
    done: 'styled',
  }),
  form({
    id: 'console.set_qr_code',
    path: '/api/svc/console/qr/:id/settings',
    summary: 'Form: change the settings of a QR code',
    params: CodeParams,
    ...filled,
    async run(context, { id, values }, { by }) {
      const { dynamic } = await findCode(context, id);
      const name = textOf(values, 'name');
      const parts = dynamic
        ? [scheduleIn(values, context.baseOrigin), campaignIn(values), passwordIn(values)]
        : [];
      const problems = new Map(parts.flatMap((part) => [...part.problems]));
      if (name === undefined) problems.set('name', texts.problems.name);
      throwProblems(problems);
      const changes = parts.reduce<UpdateQrCodeBody>((all, part) => ({ ...all, ...part.changes }), {
        name,
      });
      return context.qr.codes.update(id, changes, by);
    },
    to: ({ id }) => codePath(id, 'settings'),
    done: 'saved',
  }),
  form({
    id: 'console.delete_qr_code',
    path: '/api/svc/console/qr/:id/delete',
    summary: 'Form: delete a QR code',
    params: CodeParams,
    word: texts.code.word,
    run: async ({ qrCodes }, { id }, { by }) => qrCodes.service.delete?.(id, by),
    to: withQuery(qrPath, { done: 'deleted' }),
  }),
];

/** The page of a code, and what it changes. */
export const codeRoutes = [...pages, ...formPages, ...headForms, ...tabForms, ...ruleRoutes];
