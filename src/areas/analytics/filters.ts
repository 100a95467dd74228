import { z } from 'zod';
import { eventDimensions, type Filter, type Operator, operators, visitDimensions } from '../../platform/events/questions.ts';

const dimensions: ReadonlySet<string> = new Set<string>([...eventDimensions, ...visitDimensions]);
const isDimension = (text: string): text is Filter['dimension'] =>
  dimensions.has(text) || (text.startsWith('props.') && text.length > 6 && text.length <= 306);
const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text);

/** Why the text is no filter, or undefined. */
function mistake(text: string): string | undefined {
  const [dimension = '', operator = ''] = text.split(':');
  if (!isDimension(dimension)) return `unknown dimension; use one of ${[...dimensions].join(', ')}, or props.NAME`;
  if (!isOperator(operator)) return `unknown operator; use ${operators.join(', ')}`;
  return text.split(':').length < 3 ? 'write dimension:operator:value' : undefined;
}

/** `dimension:operator:value`, several values separated by `|`. A backslash takes the special meaning from the next character. */
export function parseFilter(text: string): Filter {
  const [dimension = '', operator = ''] = text.split(':');
  if (!isDimension(dimension) || !isOperator(operator)) throw new TypeError(mistake(text));
  const value = text.slice(dimension.length + operator.length + 2);
  if (operator.startsWith('matches')) return { dimension, operator, values: [value] };
  const values = value.split(/(?<!\\)\|/).map((part) => part.replace(/\\(.)/g, '$1'));
  return { dimension, operator, values };
}

const FilterText = z.string().max(4000).refine((text) => mistake(text) === undefined, { error: (issue) => mistake(String(issue.input)) ?? 'invalid' });

/** The repeated query parameter `filter`. */
export const FilterParameter = z.union([FilterText, z.array(FilterText).max(20)]).optional()
  .describe('`dimension:operator:value`, may be repeated; all must hold. Several values: `source:is:Google|Bing`.');

/** The filters of a parameter. */
export function filtersOf(parameter: string | readonly string[] | undefined): Filter[] {
  if (parameter === undefined) return [];
  return (typeof parameter === 'string' ? [parameter] : parameter).map(parseFilter);
}
