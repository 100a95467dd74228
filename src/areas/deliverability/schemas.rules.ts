import { z } from 'zod';
import { exampleServices, id, part, shape, ZoneView } from './schemas.ts';

export const ShortRuleBody = z
  .strictObject({ ...shape, zip: part.describe('One additional postal code.') })
  .partial()
  .meta({
    id: 'ZipCodeRule',
    examples: [{ zip: '94103', country: 'US', currency: 'USD', services: exampleServices }],
  });
export type ShortRuleBody = z.output<typeof ShortRuleBody>;
export const ShortRuleQuery = z.object({
  id: id.describe('Id of the rule. Each rule is a delivery zone.'),
});
export const ShortRuleView = z
  .object({
    method: z.string().meta({ examples: ['POST'] }),
    stored: z.literal(true),
    zone: ZoneView,
  })
  .meta({ id: 'ZipCodeRuleStored', description: 'The rule as stored: a delivery zone.' });
export const ShortRuleDeleted = z
  .object({
    method: z.string().meta({ examples: ['DELETE'] }),
    deleted: z.literal(true),
    id: z.string().meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
  })
  .meta({ id: 'ZipCodeRuleDeleted', description: 'The id of the deleted rule.' });
