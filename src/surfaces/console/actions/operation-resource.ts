import { z } from 'zod';
import { capitalized } from '../../../lib/text/case.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import { inputShape } from '../../../platform/operations/input.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import type { Described } from '../resources/entry-values.tsx';

const label = (member: string): string => capitalized(member.replaceAll('_', ' '));

const descriptionOf = (schema: z.core.$ZodType): string | undefined =>
  (z.globalRegistry.get(schema) ?? z.globalRegistry.get(unwrapSchema(schema)))?.description;

/** Labels and hints for the members of an operation's input or output, from its schema. */
export function describedBy(view: z.ZodObject): Described {
  const shape: Readonly<Record<string, z.core.$ZodType>> = view.shape;
  const members = Object.entries(shape);
  return {
    view,
    texts: {
      fields: Object.fromEntries(members.map(([member]) => [member, label(member)])),
      hints: Object.fromEntries(
        members.flatMap(([member, schema]) => {
          const description = descriptionOf(schema);
          return description === undefined ? [] : [[member, description]];
        }),
      ),
    },
  };
}

/** The fields of an operation's form. */
export const inputOf = ({ operation }: BoundOperation): z.ZodObject =>
  z.object({ ...inputShape(operation) });
