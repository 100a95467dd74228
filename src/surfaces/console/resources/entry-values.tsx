import { z } from 'zod';
import { readableUrl } from '../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { texts } from './texts/en.ts';

/** What forms and tables need of a resource: its members and their labels. */
export interface Described extends Pick<Resource, 'view' | 'tones'> {
  texts: Pick<Resource['texts'], 'fields' | 'values' | 'hints'>;
}

type Values = Readonly<Record<string, unknown>>;

/** The label of a member. */
export const labelOf = ({ texts: { fields } }: Described, member: string): string =>
  fields[member] ?? member;

/** The label of a value of an enum. */
export const valueLabel = (
  { texts: { values = {} } }: Described,
  member: string,
  value: string,
): string => values[member]?.[value] ?? value;

const isTime = (schema: z.core.$ZodType): boolean =>
  unwrapSchema(schema) instanceof z.ZodISODateTime;

function textOfValue(resource: Described, member: string, value: unknown): string {
  if (Array.isArray(value))
    return value.map((each) => textOfValue(resource, member, each)).join(', ');
  if (typeof value === 'string') return readableUrl(valueLabel(resource, member, value));
  if (typeof value === 'number') return formatNumber(value);
  return JSON.stringify(value) === '{}' ? '' : JSON.stringify(value);
}

/** What a member of an entry shows. */
function memberHtml(resource: Described, entry: Values, member: string): Html {
  const value = entry[member];
  const shape: Readonly<Record<string, z.core.$ZodType>> = resource.view.shape;
  const schema = shape[member];
  if (value === null || value === undefined || value === '' || schema === undefined)
    return escapeHtml(texts.values.none);
  if (typeof value === 'boolean') return escapeHtml(value ? texts.values.yes : texts.values.no);
  if (typeof value === 'string' && isTime(schema)) return <Time at={value} />;
  const tone = typeof value === 'string' ? resource.tones?.[member]?.[value] : undefined;
  const text = textOfValue(resource, member, value);
  if (tone !== undefined) return <Badge text={text} tone={tone} />;
  return escapeHtml(text === '' ? texts.values.none : text);
}

/** Whether there is nothing to show of a value. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** Whether a member of an entry is a number. */
export function isNumberMember({ view }: Resource, member: string): boolean {
  const shape: Readonly<Record<string, z.core.$ZodType>> = view.shape;
  const schema = shape[member];
  return schema !== undefined && unwrapSchema(schema) instanceof z.ZodNumber;
}

/** Whether a member of an entry is a time. */
export function isTimeMember({ view }: Resource, member: string): boolean {
  const shape: Readonly<Record<string, z.core.$ZodType>> = view.shape;
  const schema = shape[member];
  return schema !== undefined && isTime(schema);
}

/** Whether it has happened, in place of when. The tones name both: `set` and `unset`. */
function stateOfTime(resource: Resource, member: string, value: unknown): Html {
  const state = value === null || value === undefined ? 'unset' : 'set';
  const tone = resource.tones?.[member]?.[state] ?? 'neutral';
  return <Badge text={valueLabel(resource, member, state)} tone={tone} />;
}

const maxCellLength = 120;

/** What a cell of a table shows: the start of a long text. */
export function cellHtml(resource: Resource, entry: Entry, member: string): Html {
  const value = entry[member];
  if (isTimeMember(resource, member) && resource.tones?.[member] !== undefined)
    return stateOfTime(resource, member, value);
  const text = typeof value === 'string' ? readableUrl(value) : '';
  return text.length > maxCellLength
    ? escapeHtml(`${text.slice(0, maxCellLength).toWellFormed()}…`)
    : memberHtml(resource, entry, member);
}

/** The members that a table shows: unless they are listed, all but the id and the long ones. */
export const columnsOf = ({ view, columns, detailsOnly = [] }: Resource): readonly string[] =>
  columns ??
  Object.keys(view.shape).filter((member) => member !== 'id' && !detailsOnly.includes(member));
