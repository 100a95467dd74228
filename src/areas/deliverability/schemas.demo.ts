import { z } from 'zod';

/** `zip` is documented as required, but without it browsers get the form again, with an error. */
export const DemoBody = z
  .object({ zip: z.string().max(200).default(''), country: z.string().max(200).default('US') })
  .meta({ required: ['zip'], examples: [{ zip: '94103', country: 'US' }] });
