import { z } from 'zod';
import { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { ListQuery } from '../../../../platform/resource/resource.ts';
import { limit } from '../../../../platform/http/limits/rate-limit.ts';
import { withQuery } from '../../components/navigation.tsx';
import { fileLimit, pageLimit } from '../../rate-limits.ts';
import { asAttachment } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { findCode } from '../find-code.ts';
import { qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { deletePage } from './delete-page.tsx';
import { ListFilters, ListPageQuery, selectionOf } from './list-query.ts';
import { qrListPage } from './list-page.tsx';

const pageSize = 25;
const maxChosen = 50;
const trendDays = 30;
const picturePixels = 1200;
/** Twice the size at which it is shown, for dense screens. */
const thumbnailPixels = 96;
/** A page of the list has 25, and the browser keeps them. */
const thumbnailLimit = {
  rateLimit: limit({ max: 1200, seconds: 60, group: 'console-thumbnails' }),
};

const uuid = z.uuid().toLowerCase();
const CodeParams = z.object({ id: uuid });
/** The chosen rows, as URLs have them. */
const Chosen = z.object({
  id: z.union([uuid.transform((id) => [id]), z.array(uuid).min(1).max(maxChosen)]),
});
const ChosenForm = z.object({ id: z.array(uuid).min(1, texts.list.chooseFirst).max(maxChosen) });

const listPages = [
  page({
    id: 'console.qr_codes',
    path: '/api/svc/console/qr',
    summary: 'Console: QR codes',
    query: ListPageQuery,
    async show(context, { done, find, cursor, changed = [], ...filters }, { signal }) {
      const { qrCodes, qr, searchTerms, sites } = context;
      const text = searchTerms.open(find);
      const found = await qrCodes.service.list(
        ListQuery.parse({
          sort: '-created_at',
          ...selectionOf(filters),
          limit: pageSize,
          cursor,
          ...(text === undefined || text === '' ? {} : { q: text }),
        }),
        signal,
      );
      const codes = found.data.map((code) => QrCodeView.parse(code));
      return qrListPage({
        codes,
        trends: await qr.trends(codes, trendDays),
        filters,
        find,
        text,
        sites: sites.list().map(({ key }) => key),
        isFirst: cursor === undefined,
        next: found.next_cursor,
        done,
        changed,
      });
    },
  }),
  page({
    id: 'console.qr_thumbnail',
    path: '/api/svc/console/qr/:id/thumbnail',
    summary: 'Console: small picture of a QR code',
    params: CodeParams,
    errors: ['qr.not_found', 'qr.unreadable', 'qr.busy'],
    limit: thumbnailLimit,
    async show({ qr }, { id }, { reply }) {
      const code = await qr.codes.get(id);
      const picture = await qr.pictures.draw(code, { format: 'png', size: thumbnailPixels });
      return (
        reply
          .header('content-type', 'image/png')
          // Its URL changes with the code.
          .header('cache-control', 'private, max-age=604800, immutable')
          .send(picture)
      );
    },
  }),
  page({
    id: 'console.qr_pictures',
    path: '/api/svc/console/qr/pictures',
    summary: 'Console: pictures of chosen QR codes',
    query: Chosen,
    limit: fileLimit,
    async show({ qr }, { id }, { reply }) {
      const archive = await qr.prints.zipOf(id, { format: 'png', size: picturePixels });
      void reply.header('content-type', 'application/zip');
      return asAttachment(reply, 'qr-codes.zip').send(archive);
    },
  }),
  page({
    id: 'console.delete_qr_codes_page',
    path: '/api/svc/console/qr/delete',
    summary: 'Console: delete chosen QR codes',
    query: Chosen,
    errors: ['qr.not_found'],
    show: async (context, { id }) =>
      deletePage(await Promise.all(id.map((each) => findCode(context, each)))),
  }),
];

const switchForm = (name: 'pause' | 'resume', active: boolean) =>
  form({
    id: `console.${name}_qr_codes`,
    path: `/api/svc/console/qr/${name}`,
    summary: `Form: ${name} chosen QR codes`,
    body: ChosenForm,
    async run({ qr }, { id }, { by }) {
      for (const each of id) {
        // A code without a short link can't be paused.
        const { dynamic } = await qr.codes.get(each);
        if (dynamic) await qr.codes.update(each, { active }, by);
      }
    },
    to: ({ id }) => withQuery(qrPath, { done: active ? 'resumed' : 'paused', changed: id }),
  });

/** All codes, and what can be done with several at once. */
export const listRoutes = [
  ...listPages,
  form({
    id: 'console.find_qr_codes',
    path: '/api/svc/console/qr/find',
    summary: 'Form: search QR codes',
    limit: pageLimit,
    body: ListFilters.extend({ text: z.string().max(200).optional() }),
    run: ({ searchTerms }, { text }) => searchTerms.seal(text),
    to: ({ text: _text, ...filters }, find) => withQuery(qrPath, { ...filters, find }),
  }),
  switchForm('pause', false),
  switchForm('resume', true),
  form({
    id: 'console.delete_qr_codes',
    path: '/api/svc/console/qr/delete',
    summary: 'Form: delete chosen QR codes',
    body: ChosenForm,
    word: texts.code.word,
    async run({ qrCodes }, { id }, { by }) {
      for (const each of id) await qrCodes.service.delete?.(each, by);
    },
    to: qrPath,
    done: 'deleted',
  }),
];
