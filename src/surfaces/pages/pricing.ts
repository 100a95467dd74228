import { z } from 'zod';
import type { Config } from '../../config.ts';

export const PricingView = z
  .object({
    currency: z
      .string()
      .describe('ISO 4217.')
      .meta({ examples: ['EUR'] }),
    plans: z.array(
      z.object({
        id: z.string().meta({ examples: ['team'] }),
        name: z.string().meta({ examples: ['Team'] }),
        price: z.number().describe('For one `interval`, in `currency`.'),
        interval: z.enum(['month', 'year']),
        features: z.array(z.string()),
        limits: z.record(z.string(), z.number()).describe('Limits of the service.'),
      }),
    ),
  })
  .meta({ id: 'Pricing', description: 'The plans and their prices.' });
export type PricingView = z.output<typeof PricingView>;

/** The prices, which are zero, and the limits of this server. */
export function pricing({
  SITE_LIMIT,
  OTP_DAILY_LIMIT,
  WS_CONNECTION_LIMIT,
  DEDUPE_WINDOW_HOURS,
}: Config): PricingView {
  return {
    currency: 'EUR',
    plans: [
      {
        id: 'self-hosted',
        name: 'Self-hosted',
        price: 0,
        interval: 'month',
        features: [
          'Sign-in with one-time codes',
          'Second factor and passkeys',
          'Device security',
          'Analytics without cookies',
          'Realtime',
          'Status page',
          'REST API, GraphQL and MCP',
        ],
        limits: {
          sites: SITE_LIMIT,
          events_per_batch: 500,
          events_per_batch_with_key: 2000,
          event_id_hours: DEDUPE_WINDOW_HOURS,
          codes_per_day_and_channel: OTP_DAILY_LIMIT,
          sessions_per_person: 10,
          passkeys_per_person: 20,
          realtime_connections: WS_CONNECTION_LIMIT,
        },
      },
    ],
  };
}
