import { z } from 'zod';
import { NfcTagBody, NfcTagView } from '../../../areas/nfc/schemas.ts';
import { exportColumnsOf } from '../../../platform/resource/entry-csv.ts';
import { type BoundResource, ListQuery } from '../../../platform/resource/resource.ts';
import { withQuery } from '../components/navigation.tsx';
import type { ConsoleContext } from '../context.ts';
import { exportItems, sendListExport } from '../list-export.tsx';
import { findRoute, givenTexts, ListPageQuery, toSelection } from '../resources/list-query.ts';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { readGroups } from './alarm-groups.ts';
import { NewTagQuery, readTarget, requireTarget } from './new-tag-form.ts';
import { chooseChipPage, tagTargetPage } from './new-tag-page.tsx';
import { tagsPath, writePath } from './nfc-paths.ts';
import { tagsPage } from './tags-page.tsx';

const pageSize = 50;
const exportPageSize = 500;
const trendDays = 30;

/** The number of open alarms of each tag, as their page lists them. */
async function alarmsByTag(alarms: BoundResource): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>();
  for (const { tagId } of await readGroups(alarms, { resolved: false }))
    counts.set(tagId, (counts.get(tagId) ?? 0) + 1);
  return counts;
}

const listRoute = ({ nfcTags, nfcAlarms, nfc }: ConsoleContext): ConsoleRoute =>
  page({
    id: 'console.nfc_tags',
    path: '/api/svc/console/nfc',
    summary: 'Console: NFC tags',
    query: ListPageQuery,
    async show({ searchTerms }, query, { reply, signal }) {
      const text = searchTerms.open(query.find);
      const selection = toSelection(nfcTags, query, text);
      const list = (limit: number, after: string | undefined) =>
        nfcTags.service.list(ListQuery.parse({ ...selection, limit, cursor: after }), signal);
      if (query.format !== undefined)
        return sendListExport(reply, {
          name: 'nfc-tags',
          format: query.format,
          columns: exportColumnsOf(nfcTags.resource),
          readPage: (after) => list(exportPageSize, after),
        });
      const filters = { ...givenTexts(nfcTags, query), find: query.find };
      const [{ data, next_cursor: nextCursor }, alarms] = await Promise.all([
        list(pageSize, query.cursor),
        alarmsByTag(nfcAlarms),
      ]);
      const tags = z.array(NfcTagView).parse(data);
      return tagsPage({
        ...{ tags, nextCursor, cursor: query.cursor, text, alarms },
        trends: await nfc.figures.byDay(tags, trendDays),
        query: filters,
        done: query.done,
        exports: exportItems(tagsPath, filters),
      });
    },
  });

const newRoute = page({
  id: 'console.new_nfc_tag',
  path: '/api/svc/console/nfc/new',
  summary: 'Console: add an NFC tag',
  query: NewTagQuery,
  show: ({ sites }, { chip }) =>
    chip === undefined
      ? chooseChipPage()
      : tagTargetPage(
          chip,
          sites.list().map(({ key }) => key),
        ),
});

const createRoute = form({
  id: 'console.create_nfc_tag',
  path: '/api/svc/console/nfc',
  summary: 'Form: add an NFC tag',
  body: NfcTagBody,
  read: readTarget,
  async run({ nfc, baseOrigin }, body, { by }) {
    requireTarget(body, baseOrigin);
    return nfc.tags.create(body, by);
  },
  to: (_body, { id }) => withQuery(writePath(id), { done: 'created' }),
});

/** The list of tags, and the steps that add one. */
export const tagListRoutes = (context: ConsoleContext): ConsoleRoute[] => [
  listRoute(context),
  findRoute(context.nfcTags, tagsPath),
  newRoute,
  createRoute,
];
