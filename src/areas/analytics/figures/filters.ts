import { z } from 'zod';
import {
  eventDimensions,
  type Filter,
  type Operator,
  operators,
  visitDimensions,
} from '../store/queries.ts';

/** The most of everything that filters may have: each is paid for by whoever else asks. */
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

/** Splits where `separator` stands without a backslash, and takes the backslashes out. */
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

/** Dimension, operator and the rest as it was written. */
function partsOf(text: string): { dimension: string; operator: string; value: string | undefined } {
  const [, dimension = '', operator = '', value] =
    /^((?:\\.|[^\\:])*)(?::([^:]*)(?::(.*))?)?$/su.exec(text) ?? [];
  return { dimension: splitAt(dimension, ':')[0] ?? '', operator, value };
}

const isPattern = (operator: string): boolean => operator.startsWith('matches');

/** Why the pattern would cost too much; the store says whether it is a valid one. */
function patternMistake(pattern: string): string | undefined {
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

function valueMistake(operator: Operator, value: string): string | undefined {
  if (isPattern(operator)) return patternMistake(value);
  const most = operator.startsWith('contains') ? filterLimits.parts : filterLimits.values;
  return splitAt(value, '|').length > most
    ? `a filter with ${operator} may have ${most} values`
    : undefined;
}

/** Why the text is no filter, or undefined. */
function mistake(text: string): string | undefined {
  const { dimension, operator, value } = partsOf(text);
  if (!isDimension(dimension))
    return `unknown dimension; use one of ${[...dimensions].join(', ')}, or props.NAME`;
  if (!isOperator(operator)) return `unknown operator; use ${operators.join(', ')}`;
  return value === undefined ? 'write dimension:operator:value' : valueMistake(operator, value);
}

/**
 * `dimension:operator:value`, several values separated by `|`. A backslash takes the special
 * meaning from the next character. The value of `matches` is one regular expression, taken as it
 * is.
 */
export function parseFilter(text: string): Filter {
  const { dimension, operator, value } = partsOf(text);
  if (!isDimension(dimension) || !isOperator(operator) || value === undefined)
    throw new TypeError(mistake(text));
  return { dimension, operator, values: isPattern(operator) ? [value] : splitAt(value, '|') };
}

const FilterText = z
  .string()
  .max(4000)
  .refine((text) => mistake(text) === undefined, {
    error: (issue) => mistake(String(issue.input)) ?? 'invalid',
  });

const isOfEvent = (text: string): boolean => {
  const { dimension } = partsOf(text);
  return (
    dimension.startsWith('props.') || (eventDimensions as readonly string[]).includes(dimension)
  );
};

/** A filter on the event itself. */
export const EventFilterText = FilterText.refine(
  isOfEvent,
  `must be about the event itself: ${eventDimensions.join(', ')}, or props.NAME`,
);

const operatorOf = (text: string): string => partsOf(text).operator;

/** Regular expressions take longest by far. */
export const hasFewPatterns = (texts: readonly string[]): boolean =>
  texts.filter((text) => isPattern(operatorOf(text))).length <= filterLimits.patterns;
export const tooManyPatterns =
  `must not have more than ${filterLimits.patterns} ` + 'filters with matches or matches_not';

/** True when no filter is a regular expression. */
export const hasNoPattern = (texts: readonly string[]): boolean =>
  texts.every((text) => !isPattern(operatorOf(text)));

/** The repeated query parameter `filter`. */
export const FilterParameter = z
  .union([
    FilterText,
    z.array(FilterText).max(filterLimits.filters).refine(hasFewPatterns, tooManyPatterns),
  ])
  .optional()
  .describe(
    `\`dimension:operator:value\`, may be repeated ${filterLimits.filters} times; all must hold. ` +
      `Several values: \`source:is:Google|Bing\`, at most ${filterLimits.values}, ` +
      `and ${filterLimits.parts} for \`contains\`. ` +
      `At most ${filterLimits.patterns} may be regular expressions (RE2), of ` +
      `${filterLimits.patternLength} characters and with repetitions up to ` +
      `{${filterLimits.repetition}}.`,
  )
  .meta({ examples: ['source:is:Google'] });

/** The filters of a parameter. */
export function filtersOf(parameter: string | readonly string[] | undefined): Filter[] {
  if (parameter === undefined) return [];
  return (typeof parameter === 'string' ? [parameter] : parameter).map(parseFilter);
}
