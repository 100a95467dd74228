import { z } from 'zod';
import type { ApiKeyScope } from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireFresh } from '../identity/freshness.ts';
import { errorOf } from '../errors/errors.ts';
import type { Tone } from '../ui/components/badge.tsx';
import type { RequestActor } from '../http/requests/request-actor.ts';

/** An entry of a resource as clients see it. */
export interface Entry {
  id: string;
  [member: string]: unknown;
}

/** Parsed values of a body or a query. */
export type Values = Record<string, unknown>;

/** The words for a resource, from a message file. */
interface ResourceTexts {
  /** One entry, lower case, with an article for sentences: `a saved reply`. */
  one: string;
  /** Several entries, lower case: `saved replies`. */
  many: string;
  /** What the resource is, one sentence. */
  description: string;
  /** Labels of the members, for tables and forms. */
  fields: Readonly<Record<string, string>>;
  /** Labels of the values of enums, by member. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Shown under the fields of forms. */
  hints?: Readonly<Record<string, string>>;
  /** Shown while there are no entries. */
  none: string;
  /** What the forms of the console do, in sentences. */
  points?: Readonly<Partial<Record<'create' | 'update' | 'delete' | 'import', readonly string[]>>>;
}

/**
 * The description of a resource. REST routes, the API reference, GraphQL, MCP tools, CSV files and
 * pages of the console are made from it.
 */
export interface Resource<
  View extends z.ZodObject = z.ZodObject,
  Create extends z.ZodObject = z.ZodObject,
  Update extends z.ZodObject = z.ZodObject,
> {
  /** The plural in camelCase, for operation ids and GraphQL: `savedReplies`. */
  name: string;
  /** The singular in PascalCase, for GraphQL: `SavedReply`. */
  type: string;
  /** The path of the list: `/api/v1/contact/saved-replies`. */
  path: `/${string}`;
  /** Its section of the API reference. */
  tag: string;
  /** Who may use it. */
  scope: ApiKeyScope;
  /** What users need a sign-in within the last five minutes for, on every surface. */
  freshFor?: 'changes';
  /** An entry. Its `id` is a UUID, or what `id` describes. */
  view: View;
  /** The id of an entry. Default: a UUID. */
  id?: z.ZodType<string>;
  /** The parameters of the path, before the id of an entry: `site_id` for the goals of a site. */
  parents?: z.ZodObject;
  /** What creating an entry returns, where that is more than the entry: a secret, shown once. */
  created?: z.ZodObject;
  /** Whether pages of the list have the number of all entries. */
  hasTotal?: boolean;
  /** The body that creates an entry. Unset: entries can't be created. */
  create?: Create;
  /** The body that changes an entry; every member is optional. Unset: entries can't be changed. */
  update?: Update;
  /** False: entries can't be deleted. */
  canDelete?: boolean;
  /** The filters of the list, each an optional member. */
  filters?: z.ZodRawShape;
  /**
   * What the list can be sorted by: members that are never null. `-` sorts in descending order. The
   * first one is the default.
   */
  sorts: readonly [string, ...string[]];
  /** What `q` searches, such as `name and address`. Unset: the list can't be searched. */
  searches?: string;
  /** Error codes of the operations, besides `notFound`, for the API reference. */
  errors?: { create?: readonly string[]; update?: readonly string[]; delete?: readonly string[] };
  /** The code of the error for an unknown id. */
  notFound: string;
  /** Members left out of tables and CSV files, because they are long or nested. */
  detailsOnly?: readonly string[];
  /** Members that the table of the console shows. Default: all but `id` and `detailsOnly`. */
  columns?: readonly string[];
  /** The list of the console shows the text of the second column in full, in place of a table. */
  isReadInFull?: boolean;
  /** The colours of states, by member and value. Other values are plain text. */
  tones?: Readonly<Record<string, Readonly<Record<string, Tone>>>>;
  /** The path in the console of pages of its own: `users`. */
  consolePage?: string;
  /** The path in the console of the list made from this: `contact/saved-replies`. */
  consoleList?: string;
  /** The path in the console of pages about one entry. Unset: the form that changes it. */
  entryPage?: string;
  /** Pages of the console that the list leads to: paths, and texts of the links. */
  pages?: readonly { path: string; text: string }[];
  /** Members of which an entry needs at least one. */
  needsOneOf?: readonly string[];
  /** Whether the console has a page that imports entries. Default: true. */
  hasImportPage?: boolean;
  texts: ResourceTexts;
}

/** What a list is asked for: `limit`, `cursor`, `sort`, `q` and the filters. */
export const ListQuery = z.looseObject({
  limit: z.int(),
  sort: z.string(),
  cursor: z.string().optional(),
  q: z.string().optional(),
});
export type ListQuery = z.output<typeof ListQuery>;

/** A page of a list. */
export interface ResourcePage<View> {
  data: View[];
  /** The cursor after an entry, by its index in `data`. */
  cursorAt: (index: number) => string | null;
  /** Null on the last page. */
  next_cursor: string | null;
  /** The number of entries on all pages, for a resource with `hasTotal`. */
  total?: number;
}

// Methods, so that a service of exact types fits where surfaces expect one of any values.
/* oxlint-disable typescript/method-signature-style */
/**
 * The operations of a resource. `get`, `update` and `delete` throw the resource's `notFound`. An
 * operation that the resource does not have is never called. `parents` are the values of the
 * resource's `parents`.
 */
export interface ResourceService<View, Create, Update> {
  list(query: ListQuery, signal?: AbortSignal, parents?: Values): Promise<ResourcePage<View>>;
  get(id: string, parents?: Values): Promise<View>;
  create?(values: Create, by: RequestActor, parents?: Values): Promise<View>;
  /**
   * Throws a RequestValidationError for values that `create` would refuse so, although they fit the
   * schema. An import checks all rows before it creates the first one.
   */
  check?(values: Create): Promise<void>;
  update?(id: string, changes: Update, by: RequestActor, parents?: Values): Promise<View>;
  delete?(id: string, by: RequestActor, parents?: Values): Promise<void>;
}
/* oxlint-enable typescript/method-signature-style */

/** A resource with its service: what surfaces are made from. */
export interface BoundResource {
  resource: Resource;
  /** Its changes throw `auth.step_up_required` themselves, too. */
  service: ResourceService<Entry, Values, Values>;
  /**
   * Throws `auth.step_up_required` for a user whose sign-in is too old for changes. Surfaces call
   * it before they read what is to be changed.
   */
  admitChange: (by: RequestActor) => void;
}

/** Describes a resource. Checks at start that its members fit together; throws TypeError. */
export function defineResource<
  View extends z.ZodObject,
  Create extends z.ZodObject = z.ZodObject,
  Update extends z.ZodObject = z.ZodObject,
>(resource: Resource<View, Create, Update>): Resource<View, Create, Update> {
  const { name, view, sorts, columns = [], texts } = resource;
  const unknown = sorts
    .map((sort) => sort.replace(/^-/, ''))
    .filter((member) => !(member in view.shape));
  const unshown = columns.filter((member) => !(member in view.shape));
  if (unshown.length > 0) throw new TypeError(`${name} has no column ${unshown.join(', ')}`);
  if (unknown.length > 0) throw new TypeError(`${name} can't be sorted by ${unknown.join(', ')}`);
  const unlabelled = Object.keys(view.shape).filter((member) => !(member in texts.fields));
  if (unlabelled.length > 0) throw new TypeError(`${name} has no label for ${unlabelled.join()}`);
  return resource;
}

/** The service with changes that ask `admit` first. */
function admitting<View, Create, Update>(
  service: ResourceService<View, Create, Update>,
  admit: (by: RequestActor) => void,
): ResourceService<View, Create, Update> {
  const [create, update, remove] = [
    service.create?.bind(service),
    service.update?.bind(service),
    service.delete?.bind(service),
  ];
  return {
    ...service,
    ...(create && {
      async create(values, by, parents) {
        admit(by);
        return create(values, by, parents);
      },
    }),
    ...(update && {
      async update(id, changes, by, parents) {
        admit(by);
        return update(id, changes, by, parents);
      },
    }),
    ...(remove && {
      async delete(id, by, parents) {
        admit(by);
        return remove(id, by, parents);
      },
    }),
  };
}

/**
 * Joins a resource and its service, whose types have to match. A resource with `freshFor` needs the
 * clock. Throws TypeError when no loaded module defines the error `notFound`.
 */
export function bindResource<
  View extends z.ZodObject,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
>(
  resource: Resource<View, Create, Update>,
  service: ResourceService<z.output<View> & Entry, z.output<Create>, z.output<Update>>,
  clock?: Clock,
): BoundResource {
  if (errorOf(resource.notFound) === undefined)
    throw new TypeError(`${resource.name}: nothing defines the error ${resource.notFound}`);
  if (resource.freshFor === undefined) return { resource, service, admitChange: () => undefined };
  if (clock === undefined) throw new TypeError(`${resource.name} needs a clock`);
  const admitChange = (by: RequestActor): void => requireFresh(by, clock.now());
  return { resource, service: admitting(service, admitChange), admitChange };
}

const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(100)
  .default(20)
  .describe('Maximum entries per page.');

/** The sort orders of a list: each member ascending, and descending with `-`. */
export const sortsOf = ({ sorts }: Resource): [string, ...string[]] => {
  const [first, ...others] = sorts;
  const opposite = (sort: string) => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`);
  return [first, opposite(first), ...others.flatMap((sort) => [sort, opposite(sort)])];
};

const uuid = z.uuid().toLowerCase();

/** The id of an entry, as clients send it. */
export const idOf = ({ id = uuid }: Resource): z.ZodType<string> => id;

/** The path parameters of an entry. */
export const entryParamsOf = (resource: Resource) =>
  z.object({ ...resource.parents?.shape, id: idOf(resource) });

/** Splits the values of a resource's `parents` from the others. */
export function splitParents(
  { parents }: Resource,
  input: Values,
): { parents: Values; values: Values } {
  const names = Object.keys(parents?.shape ?? {});
  const [own, others] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const [name, value] of Object.entries(input))
    (names.includes(name) ? own : others).set(name, value);
  return { parents: Object.fromEntries(own), values: Object.fromEntries(others) };
}

/** The filters, as members that may be missing. */
export const filtersOf = ({ filters = {} }: Resource): z.ZodObject => z.object(filters).partial();

/** Something that names, addresses and texts may hold alike. */
const searchExample = 'ada';

/** The part of the query that selects and orders entries; unknown members are refused. */
export function selectionOf(resource: Resource) {
  const { searches } = resource;
  const q = z.string().trim().min(1).max(200).optional();
  return z.strictObject({
    ...filtersOf(resource).shape,
    ...(searches === undefined
      ? {}
      : {
          q: q
            .describe(`Text to find in the ${searches}, case-insensitive.`)
            .meta({ examples: [searchExample] }),
        }),
    sort: z
      .enum(sortsOf(resource))
      .default(resource.sorts[0])
      .describe('Order of the list. `-` sorts in descending order.'),
  });
}

/** The query of a list; unknown members are refused. */
export const listQueryOf = (resource: Resource) =>
  selectionOf(resource).extend({
    limit,
    cursor: z
      .string()
      .max(2000)
      .optional()
      .describe('The `next_cursor` from the previous page.')
      .meta({ examples: ['WyIyMDI2LTA1LTA0VDA5OjMwOjAwWiJd.q8Xn2LrT'] }),
  });
