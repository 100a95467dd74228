import { z } from 'zod';
import { parseReferrer } from '../enrichment/referrer.ts';
import {
  storedExpressions,
  storedHostname,
  storedParts,
  toStoredPath,
} from '../enrichment/typed-paths.ts';
import {
  eventDimensions,
  type Filter,
  type Operator,
  operators,
  visitDimensions,
} from '../store/queries.ts';

/** Limits of filters, since expensive filters slow down the queries of all callers. */
const filterLimits = {
  filters: 20,
  values: 200,
  parts: 20,
  patterns: 4,
  patternLength: 200,
  repetition: 100,
} as const;

const dimensions: ReadonlySet<string> = new Set<string>([...eventDimensions, ...visitDimensions]);
const isDimension = (text: string): text is Filter['dimension'] =>
  dimensions.has(text) || (text.startsWith('props.') && text.length > 6 && text.length <= 306);
const isOperator = (text: string): text is Operator =>
  (operators as readonly string[]).includes(text);

/** Splits at unescaped separators, and removes the escaping backslashes. */
function splitAt(text: string, separator: string): string[] {
  let part = '';
  const parts: string[] = [];
  for (const [token] of text.matchAll(/\\.|./gsu)) {
    if (token !== separator)
      part += token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
    else {
      parts.push(part);
      part = '';
    }
  }
  return [...parts, part];
}

/** Splits a filter into dimension, operator and raw value. */
function splitFilter(text: string): {
  dimension: string;
  operator: string;
  value: string | undefined;
} {
  const [, dimension = '', operator = '', value] =
    /^((?:\\.|[^\\:])*)(?::([^:]*)(?::(.*))?)?$/su.exec(text) ?? [];
  return { dimension: splitAt(dimension, ':')[0] ?? '', operator, value };
}

const isPattern = (operator: string): boolean => operator.startsWith('matches');

/** Returns why the pattern is too expensive, or undefined. The store checks its syntax. */
function patternIssue(pattern: string): string | undefined {
  const { patternLength, repetition } = filterLimits;
  if (pattern.length > patternLength)
    return `a regular expression may have ${patternLength} characters`;
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(
    ([, least = '', most = '']) => [Number(least), Number(most)],
  );
  return counts.some((count) => count > repetition)
    ? `a regular expression may repeat a part ${repetition} times, as in {0,${repetition}}`
    : undefined;
}

function valueIssue(operator: Operator, value: string): string | undefined {
  if (isPattern(operator)) return patternIssue(value);
  const limit = operator.startsWith('contains') ? filterLimits.parts : filterLimits.values;
  return splitAt(value, '|').length > limit
    ? `a filter with ${operator} may have ${limit} values`
    : undefined;
}

/** Returns why the text is not a valid filter, or undefined. */
function filterIssue(text: string): string | undefined {
  const { dimension, operator, value } = splitFilter(text);
  if (!isDimension(dimension))
    return `unknown dimension; use one of ${[...dimensions].join(', ')}, or props.NAME`;
  if (!isOperator(operator)) return `unknown operator; use ${operators.join(', ')}`;
  return value === undefined ? 'write dimension:operator:value' : valueIssue(operator, value);
}

/**
 * Parses `dimension:operator:value`, with several values separated by `|`. A backslash escapes the
 * next character. The value of `matches` is a single regular expression, used verbatim. Throws a
 * TypeError for an invalid filter.
 */
export function parseFilter(text: string): Filter {
  const { dimension, operator, value } = splitFilter(text);
  if (!isDimension(dimension) || !isOperator(operator) || value === undefined)
    throw new TypeError(filterIssue(text));
  return { dimension, operator, values: isPattern(operator) ? [value] : splitAt(value, '|') };
}

const FilterText = z
  .string()
  .max(4000)
  .refine((text) => filterIssue(text) === undefined, {
    error: (issue) => filterIssue(String(issue.input)) ?? 'invalid',
  });

const isEventFilter = (text: string): boolean => {
  const { dimension } = splitFilter(text);
  return (
    dimension.startsWith('props.') || (eventDimensions as readonly string[]).includes(dimension)
  );
};

/** A filter on the event itself. */
export const EventFilterText = FilterText.refine(
  isEventFilter,
  `must be about the event itself: ${eventDimensions.join(', ')}, or props.NAME`,
);

const readOperator = (text: string): string => splitFilter(text).operator;

/** Limits regular expressions, which are by far the slowest filters. */
export const hasFewPatterns = (texts: readonly string[]): boolean =>
  texts.filter((text) => isPattern(readOperator(text))).length <= filterLimits.patterns;
export const tooManyPatterns =
  `must not have more than ${filterLimits.patterns} ` + 'filters with matches or matches_not';

/** True when no filter is a regular expression. */
export const hasNoPattern = (texts: readonly string[]): boolean =>
  texts.every((text) => !isPattern(readOperator(text)));

/** The repeated query parameter `filter`. */
export const FilterParameter = z
  .union([
    FilterText,
    z.array(FilterText).max(filterLimits.filters).refine(hasFewPatterns, tooManyPatterns),
  ])
  .optional()
  .describe(
    `\`dimension:operator:value\`, up to ${filterLimits.filters} filters; all must match. ` +
      'In figures, a filter by `event` selects whole visits that contain such an event. ' +
      `Several values: \`source:is:Google|Bing\`, at most ${filterLimits.values}, ` +
      `or ${filterLimits.parts} for \`contains\`. ` +
      `At most ${filterLimits.patterns} regular expressions (RE2) of up to ` +
      `${filterLimits.patternLength} characters, with repetitions up to ` +
      `{${filterLimits.repetition}}.`,
  )
  .meta({ examples: ['source:is:Google'] });

/** How values of these dimensions are stored, for values as people type or copy them. */
const storedForms: Partial<Record<string, (value: string) => string>> = {
  page: toStoredPath,
  entry_page: toStoredPath,
  exit_page: toStoredPath,
  hostname: storedHostname,
  referrer: (value) => parseReferrer(value, null).referrer ?? value,
};

function storedValues({ dimension, operator, values }: Filter): readonly string[] {
  const toStored = storedForms[dimension];
  if (toStored === undefined) return values;
  const isPath = dimension !== 'hostname';
  if (isPattern(operator)) return isPath ? values.flatMap(storedExpressions) : values;
  const forms = (value: string): string[] => {
    if (value === '') return [value];
    return isPath && operator.startsWith('contains')
      ? storedParts(value)
      : [value, toStored(value)];
  };
  return [...new Set(values.flatMap(forms))];
}

/**
 * Parses the filters of a parameter. Paths, referrers and host names may be written as people read
 * them: their values then include the form that is stored.
 */
export function parseFilters(parameter: string | readonly string[] | undefined): Filter[] {
  if (parameter === undefined) return [];
  return [parameter]
    .flat()
    .map(parseFilter)
    .map((filter) => ({ ...filter, values: storedValues(filter) }));
}
