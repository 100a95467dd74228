import { z } from 'zod';
import { eventDimensions, type Filter, type Operator, operators, visitDimensions } from '../../platform/events/questions.ts';

const dimensions: ReadonlySet<string> = new Set<string>([...eventDimensions, ...visitDimensions]);
const isDimension = (text: string): text is Filter['dimension'] =>
  dimensions.has(text) || (text.startsWith('props.') && text.length > 6 && text.length <= 306);
const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text);

/** Splits where `separator` stands without a backslash, and takes the backslashes out. */
function splitAt(text: string, separator: string): string[] {
  let part = '';
  const parts: string[] = [];
  for (const [token] of text.matchAll(/\\.|./gsu)) {
    if (token !== separator) part += token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
    else {
      parts.push(part);
      part = '';
    }
  }
  return [...parts, part];
}

/** Dimension, operator and the rest as it was written. */
function partsOf(text: string): { dimension: string; operator: string; value: string | undefined } {
  const [, dimension = '', operator = '', value] = /^((?:\\.|[^\\:])*)(?::([^:]*)(?::(.*))?)?$/su.exec(text) ?? [];
  return { dimension: splitAt(dimension, ':')[0] ?? '', operator, value };
}

/** Why the text is no filter, or undefined. */
function mistake(text: string): string | undefined {
  const { dimension, operator, value } = partsOf(text);
  if (!isDimension(dimension)) return `unknown dimension; use one of ${[...dimensions].join(', ')}, or props.NAME`;
  if (!isOperator(operator)) return `unknown operator; use ${operators.join(', ')}`;
  return value === undefined ? 'write dimension:operator:value' : undefined;
}

/**
 * `dimension:operator:value`, several values separated by `|`. A backslash takes the special meaning from the next
 * character. The value of `matches` is one regular expression, taken as it is.
 */
export function parseFilter(text: string): Filter {
  const { dimension, operator, value } = partsOf(text);
  if (!isDimension(dimension) || !isOperator(operator) || value === undefined) throw new TypeError(mistake(text));
  return { dimension, operator, values: operator.startsWith('matches') ? [value] : splitAt(value, '|') };
}

const FilterText = z.string().max(4000).refine((text) => mistake(text) === undefined, { error: (issue) => mistake(String(issue.input)) ?? 'invalid' });

const isOfEvent = (text: string): boolean => {
  const { dimension } = partsOf(text);
  return dimension.startsWith('props.') || (eventDimensions as readonly string[]).includes(dimension);
};

/** A filter on the event itself. */
export const EventFilterText = FilterText.refine(isOfEvent, `must be about the event itself: ${eventDimensions.join(', ')}, or props.NAME`);

/** The repeated query parameter `filter`. */
export const FilterParameter = z.union([FilterText, z.array(FilterText).max(20)]).optional()
  .describe('`dimension:operator:value`, may be repeated; all must hold. Several values: `source:is:Google|Bing`.');

/** The filters of a parameter. */
export function filtersOf(parameter: string | readonly string[] | undefined): Filter[] {
  if (parameter === undefined) return [];
  return (typeof parameter === 'string' ? [parameter] : parameter).map(parseFilter);
}
