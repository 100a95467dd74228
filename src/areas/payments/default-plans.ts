import type { Config } from '../../config.ts';
import type { PlanList } from './schemas.plans.ts';

/** The plan of a service without `PLANS`: everything is free, within the limits of the server. */
export function defaultPlans({
  SITE_LIMIT,
  OTP_DAILY_LIMIT,
  WS_CONNECTION_LIMIT,
  DEDUPE_WINDOW_HOURS,
}: Config): PlanList {
  return {
    currency: 'EUR',
    plans: [
      {
        id: 'self-hosted',
        name: 'Self-hosted',
        price: 0,
        interval: 'month',
        features: [
          'Sign-in with codes, passkeys and 2FA',
          'Single sign-on and SCIM',
          'Approved devices for admins',
          'Analytics without cookies',
          'QR codes and short links',
          'NFC tags with alarms',
          'Waitlist with referrals',
          'Contact inbox',
          'Status page with subscribers',
          'Realtime over WebSocket',
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
        provider_prices: [],
        retired: false,
      },
    ],
  };
}
