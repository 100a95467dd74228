import { z } from 'zod';
import { trimmedLine } from '../../platform/validation/text-schemas.ts';

const line = (max: number) => trimmedLine(max).min(1);

/** A plan as `PLANS` defines it. */
const PlanDefinition = z.strictObject({
  id: z
    .string()
    .regex(
      /^[A-Za-z\d][\w.-]{0,63}$/,
      'must be 1 to 64 letters, digits, dots, dashes or underscores',
    ),
  name: line(100),
  price: z.number().min(0).max(1e9),
  interval: z.enum(['month', 'year']),
  features: z.array(line(200)).max(50).default([]),
  limits: z.record(z.string().min(1).max(64), z.number()).default({}),
  provider_prices: z.array(line(255)).max(50).default([]),
  retired: z.boolean().default(false),
});

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) !== at);
}

/** The content of `PLANS`. */
export const PlanList = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency such as EUR'),
    plans: z.array(PlanDefinition).min(1).max(50),
  })
  .superRefine(({ plans }, context) => {
    const names = plans.map(({ id, provider_prices: prices }) => [...new Set([id, ...prices])]);
    const name = repeated(names.flat());
    if (name !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['plans'],
        message: `must not have ${JSON.stringify(name)} in two plans`,
      });
    if (plans.every(({ retired }) => retired))
      context.addIssue({
        code: 'custom',
        path: ['plans'],
        message: 'must have one that is offered',
      });
  });
export type PlanList = z.output<typeof PlanList>;

export const PricingView = z
  .object({
    currency: z
      .string()
      .describe('ISO 4217.')
      .meta({ examples: ['EUR'] }),
    plans: z.array(
      z.object({
        id: z
          .string()
          .describe('The `plan` of a sign-up.')
          .meta({ examples: ['team'] }),
        name: z.string().meta({ examples: ['Team'] }),
        price: z
          .number()
          .describe('For one `interval`, in `currency`.')
          .meta({ examples: [29] }),
        interval: z.enum(['month', 'year']),
        features: z.array(z.string()).meta({ examples: [['10 people', 'Email support']] }),
        limits: z.record(z.string(), z.number()).describe('Limits of the plan.'),
      }),
    ),
  })
  .meta({ id: 'Pricing', description: 'The plans and their prices.' });
export type PricingView = z.output<typeof PricingView>;
