import { z } from 'zod';
import { exampleServices, id, part, shape, ZoneView } from './schemas.ts';

export const ShortRuleBody = z
  .strictObject({
    ...shape,
    zip: part.describe(
      'A postal code. Alone, it makes a rule: other codes are answered as before. With `PATCH`, ' +
        'it replaces the code of a rule, and is added to the codes of a zone.',
    ),
  })
  .partial()
  .meta({
    id: 'ZipCodeRule',
    examples: [{ zip: '94103', country: 'US', currency: 'USD', services: exampleServices }],
  });
export type ShortRuleBody = z.output<typeof ShortRuleBody>;
export const ShortRuleQuery = z.object({
  id: id.describe('Id of the rule or zone.'),
});
export const ShortRuleView = z
  .object({
    method: z.string().meta({ examples: ['POST'] }),
    stored: z.literal(true),
    detail: z
      .string()
      .describe('What the rule does.')
      .meta({ examples: ['Parcels to 94103 are delivered. Other codes are answered as before.'] }),
    zone: ZoneView,
  })
  .meta({ id: 'ZipCodeRuleStored', description: 'The rule or zone as stored.' });
export const ShortRuleDeleted = z
  .object({
    method: z.string().meta({ examples: ['DELETE'] }),
    deleted: z.literal(true),
    id: z.string().meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
  })
  .meta({ id: 'ZipCodeRuleDeleted', description: 'The id of the deleted rule.' });
