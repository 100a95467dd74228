import { z } from 'zod';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { texts } from './texts/en.ts';

/** The label of a member. */
export const labelOf = ({ texts: { fields } }: Resource, member: string): string =>
  fields[member] ?? member;

/** The label of a value of an enum. */
export const valueLabel = (
  { texts: { values = {} } }: Resource,
  member: string,
  value: string,
): string => values[member]?.[value] ?? value;

const isTime = (schema: z.core.$ZodType): boolean =>
  unwrapSchema(schema) instanceof z.ZodISODateTime;

function textOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOfValue).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a member of an entry shows. */
export function memberHtml(resource: Resource, entry: Entry, member: string): Html {
  const value = entry[member];
  const shape: Readonly<Record<string, z.core.$ZodType>> = resource.view.shape;
  const schema = shape[member];
  if (value === null || value === undefined || value === '' || schema === undefined)
    return escapeHtml(texts.values.none);
  if (typeof value === 'boolean') return escapeHtml(value ? texts.values.yes : texts.values.no);
  if (typeof value === 'string' && isTime(schema)) return <Time at={value} />;
  if (typeof value === 'string' && unwrapSchema(schema) instanceof z.ZodEnum)
    return <Badge text={valueLabel(resource, member, value)} tone="neutral" />;
  const text = textOfValue(value);
  return escapeHtml(text === '' ? texts.values.none : text);
}

/** The members that a table shows: all but the id and the long ones. */
export const columnsOf = ({ view, detailsOnly = [] }: Resource): string[] =>
  Object.keys(view.shape).filter((member) => member !== 'id' && !detailsOnly.includes(member));
