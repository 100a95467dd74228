import { z } from 'zod';

const count = z.int();
const time = z.iso.datetime();
const states = z.object({ unknown: count, pending: count, cleared: count, expired: count, suspended: count, denied: count, revoked: count });
const counts = z.record(z.string(), count);
const ratio = z.array(z.object({ of: z.string(), sent: count, verified: count, ratio: z.number().nullable().describe('Verified over sent.') }));

export const DaysQuery = z.object({ days: z.coerce.number().int().min(1).max(90).default(30).describe('How far back.') });

export const DashboardView = z.object({
  days: count,
  states: states.describe('Devices by state. Of unknown ones nothing is kept.'),
  pending: z.object({ total: count, oldest_age_seconds: count.nullable(), requests: z.array(z.object({ request_id: z.uuid(), device_id: z.uuid(), user_id: z.uuid(), age_seconds: count })) }),
  decisions: z.array(z.object({ at: time, action: z.string(), reason: z.string().nullable(), by: z.object({ kind: z.string(), id: z.string().nullable() }), device_id: z.string().nullable() })).describe('The last 50.'),
  risk_events: z.array(z.object({ rule: z.string(), count })),
  stale_devices: z.array(z.object({ device_id: z.uuid(), user_id: z.uuid(), name: z.string(), last_seen: time })).describe('Cleared, and not used for 14 days.'),
  admins_without_device: z.array(z.object({ user_id: z.uuid(), name: z.string().nullable() })),
  otp: z.object({ by_channel: ratio, by_country: ratio }),
  lockouts: counts, refused_sends: z.array(z.object({ reason: z.string(), count })).describe('One-time codes that were asked for and not sent.'),
  top_networks: z.array(z.object({ network: z.string(), count })).describe('Where most failures and refusals came from: a /24 of IPv4, a /48 of IPv6.'),
}).meta({ id: 'DeviceDashboard' });

export const SeriesView = z.object({
  method: z.string(),
  days: z.array(z.string()).describe('UTC days, oldest first: one for each count of a series.'),
  states, series: z.array(z.object({ action: z.string(), counts: z.array(count) })), totals: counts,
}).meta({ id: 'DeviceAnalytics' });
