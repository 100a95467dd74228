import { z } from 'zod';
import {
  type BoundResource,
  filtersOf,
  selectionOf,
  type Values,
} from '../../../platform/resource/resource.ts';
import { withQuery } from '../components/navigation.tsx';
import { parseForm } from '../forms.ts';
import { exportFormat } from '../list-export.tsx';
import { pageLimit } from '../rate-limits.ts';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { done, find } from '../schemas.ts';
import type { ConsolePath } from '../sections.ts';

const text = z.string().max(200).optional();

/** The query of a list page: filters as texts, which are checked when they are used. */
export const ListPageQuery = z
  .object({ done, find, format: exportFormat, cursor: z.string().max(2000).optional(), sort: text })
  .catchall(text);

/** The filters and the order that a query or a form has, as texts. */
export const givenTexts = (
  { resource }: BoundResource,
  values: Readonly<Record<string, unknown>>,
) =>
  Object.fromEntries(
    [...Object.keys(filtersOf(resource).shape), 'sort'].flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** The selection of a list page; unknown values are refused. */
export function toSelection(bound: BoundResource, query: Values, q: string | undefined): Values {
  const given = Object.entries(givenTexts(bound, query)).map(([name, value]) => [
    name,
    booleans.get(value) ?? value,
  ]);
  const hasSearch = bound.resource.searches !== undefined && q !== undefined && q !== '';
  return parseForm(selectionOf(bound.resource), {
    ...Object.fromEntries(given),
    ...(hasSearch ? { q } : {}),
  });
}

/** The form of a list's search and filters, which leads to the list with them. */
export const findRoute = (bound: BoundResource, path: ConsolePath): ConsoleRoute =>
  form({
    id: `console.find_${bound.resource.name}`,
    path: `${path}/find`,
    summary: `Form: search ${bound.resource.texts.many}`,
    limit: pageLimit,
    body: z.looseObject({ text: z.string().optional() }),
    read: (values) => givenTexts(bound, values),
    run: ({ searchTerms }, { text: typed }) => searchTerms.seal(typed),
    to: (values, sealed) => withQuery(path, { ...givenTexts(bound, values), find: sealed }),
  });
