import { type DuckDBConnection, type DuckDBValue, listValue } from '@duckdb/node-api';
import {
  type Filter,
  type Operator,
  type StoreQuery,
  type VisitDimension,
  visitDimensions,
} from '../../queries.ts';
import { type DictionaryColumn, dictionaryColumns } from '../../events.ts';
import { readableSql } from '../sql/readable.ts';

/** SQL conditions with their named parameters. */
export interface Conditions {
  /** Conditions on rows of `visits`. */
  visit: string[];
  /** Conditions on rows of `events`. */
  event: string[];
  parameters: Record<string, DuckDBValue>;
}

/** A condition on the events of a visit, of which one must meet it, or none. */
export interface VisitContent {
  /** Condition on rows of `events`. */
  event: string;
  /** Whether the visit must not contain such an event. */
  isExcluded: boolean;
}

/** The conditions of a query. */
export interface QueryConditions extends Conditions {
  /** What visits must contain; whatever else happened in them is selected, too. */
  contents: VisitContent[];
}

interface Condition {
  sql: string;
  value: DuckDBValue;
  /** Further parameters, by the ends of their names: the JSON pointer of a property, a pattern. */
  more?: Readonly<Record<string, DuckDBValue>>;
}

const visitNames: ReadonlySet<string> = new Set(visitDimensions);
const isVisitDimension = (dimension: string): dimension is VisitDimension =>
  visitNames.has(dimension);

/** Dimensions whose name differs from the dictionary column that holds their texts. */
const dictionaries: Record<string, DictionaryColumn> = {
  event: 'name',
  page: 'pathname',
  entry_page: 'pathname',
  exit_page: 'pathname',
};
const columns: Record<string, string> = { event: 'name', page: 'pathname' };
const isNegated = ({ operator }: Filter): boolean => operator.endsWith('_not');
const isPathColumn = (column: DictionaryColumn): boolean =>
  column === 'pathname' || column === 'referrer';

/**
 * Returns the condition on a text expression; its parameter is `$name`. `readable` is the same text
 * as people read it, for paths: `contains` and `matches` compare with both.
 */
function textCondition(
  expression: string,
  name: string,
  filter: Filter,
  readable?: string,
): Condition {
  const base = filter.operator.replace('_not', '');
  if (base === 'matches') return patternCondition(expression, name, filter, readable);
  const value = listValue([...filter.values]);
  const list = `$${name}::VARCHAR[]`;
  if (base === 'is') return { sql: `list_contains(${list}, ${expression})`, value };
  const isPart = [expression, ...(readable === undefined ? [] : [readable])]
    .map((text) => `contains(lower(${text}), lower(part))`)
    .join(' OR ');
  return { sql: `len(list_filter(${list}, lambda part: ${isPart})) > 0`, value };
}

function patternCondition(
  expression: string,
  name: string,
  { values: [value = '', readableValue = value] }: Filter,
  readable: string | undefined,
): Condition {
  const sql = `regexp_matches(${expression}, $${name})`;
  if (readable === undefined) return { sql, value };
  const either = `(${sql} OR regexp_matches(${readable}, $${name}_readable))`;
  return { sql: either, value, more: { readable: readableValue } };
}

/** Whether the empty string ("not set") may match, before any negation of the filter. */
const canMatchEmpty = ({ operator, values }: Filter) =>
  operator.startsWith('matches') || values.includes('');

function dictionaryCondition(
  column: string,
  dictionary: DictionaryColumn,
  name: string,
  filter: Filter,
): Condition {
  const readable = isPathColumn(dictionary) ? readableSql('value') : undefined;
  const { sql, ...parameters } = textCondition('value', name, filter, readable);
  const kind = dictionaryColumns.indexOf(dictionary);
  const unset = canMatchEmpty(filter)
    ? ` OR (${column} = 0 AND ${textCondition(`''`, name, filter).sql})`
    : '';
  return {
    sql: `(${column} IN (SELECT id FROM dict WHERE kind = ${kind} AND ${sql})${unset})`,
    ...parameters,
  };
}

function toCondition(filter: Filter, name: string): Condition {
  const { dimension } = filter;
  if (dimension.startsWith('props.')) {
    const path = `/${dimension.slice(6).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const property = `coalesce(json_extract_string(props, $${name}_path), '')`;
    return { ...textCondition(property, name, filter), more: { path } };
  }
  if (dimension === 'user_id') return textCondition(`coalesce(user_id, '')`, name, filter);
  const dictionary =
    dictionaries[dimension] ?? dictionaryColumns.find((column) => column === dimension);
  if (dictionary === undefined) throw new RangeError(`no such dimension: ${dimension}`);
  return dictionaryCondition(columns[dimension] ?? dimension, dictionary, name, filter);
}

/**
 * Compiles filters to SQL, split into conditions on visits and on events. Values become parameters
 * whose names begin with `prefix`.
 */
export function toConditions(filters: readonly Filter[], prefix = 'filter'): Conditions {
  const result: Conditions = { visit: [], event: [], parameters: {} };
  for (const [index, filter] of filters.entries()) {
    const name = `${prefix}${index}`;
    const { sql, value, more = {} } = toCondition(filter, name);
    const signed = isNegated(filter) ? `NOT ${sql}` : sql;
    result[isVisitDimension(filter.dimension) ? 'visit' : 'event'].push(signed);
    result.parameters[name] = value;
    for (const [end, each] of Object.entries(more)) result.parameters[`${name}_${end}`] = each;
  }
  return result;
}

const describesEvent = ({ dimension }: Filter): boolean =>
  dimension === 'event' || dimension === 'tag' || dimension.startsWith('props.');

/** Filters that one event of a visit must meet, or that none may meet. */
interface ContentFilters {
  filters: readonly Filter[];
  isExcluded: boolean;
}

/**
 * Separates the filters that select whole visits by an event they contain: those by `event`, and
 * with an event to look for also those by `tag` and `props`, which describe that same event.
 */
function splitByContent(filters: readonly Filter[]): {
  contents: ContentFilters[];
  rest: readonly Filter[];
} {
  const byEvent = filters.filter(({ dimension }) => dimension === 'event');
  const excluded = byEvent.filter(isNegated);
  const hasWanted = byEvent.length > excluded.length;
  const wanted = hasWanted
    ? filters.filter((filter) => describesEvent(filter) && !excluded.includes(filter))
    : [];
  return {
    contents: [
      ...(hasWanted ? [{ filters: wanted, isExcluded: false }] : []),
      ...excluded.map((filter) => ({ filters: [withoutNegation(filter)], isExcluded: true })),
    ],
    rest: filters.filter((filter) => !wanted.includes(filter) && !excluded.includes(filter)),
  };
}

const positive: Partial<Record<Operator, Operator>> = {
  is_not: 'is',
  contains_not: 'contains',
  matches_not: 'matches',
};
const withoutNegation = (filter: Filter): Filter => ({
  ...filter,
  operator: positive[filter.operator] ?? filter.operator,
});

/**
 * Compiles the filters of a query. A filter by `event` selects the visits that contain such an
 * event, and everything in them; all others select events or visits as `toConditions` does.
 */
export function toQueryConditions({
  filters,
  onlyEvents = false,
}: Pick<StoreQuery, 'filters' | 'onlyEvents'>): QueryConditions {
  if (onlyEvents) return { ...toConditions(filters), contents: [] };
  const { contents, rest } = splitByContent(filters);
  const { visit, event, parameters } = toConditions(rest);
  const compiled = contents.map(({ filters: wanted, isExcluded }, index) => ({
    isExcluded,
    ...toConditions(wanted, `content${index}_`),
  }));
  return {
    visit,
    event,
    contents: compiled.map(({ isExcluded, event: all }) => ({
      event: all.join(' AND '),
      isExcluded,
    })),
    parameters: compiled.reduce((all, each) => ({ ...all, ...each.parameters }), parameters),
  };
}

/**
 * Throws an error that says "not a regular expression" when a filter's pattern is not valid RE2
 * syntax.
 */
export async function checkPatterns(
  connection: DuckDBConnection,
  filters: readonly Filter[],
): Promise<void> {
  for (const { operator, values } of filters) {
    if (!operator.startsWith('matches')) continue;
    try {
      for (const value of values) await connection.run(`SELECT regexp_matches('', $1)`, [value]);
    } catch (cause) {
      throw new Error(
        `not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
    }
  }
}
