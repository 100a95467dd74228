import { z } from 'zod';

const count = z.int();
const time = z.iso.datetime();
const states = z.object({
  unknown: count,
  pending: count,
  cleared: count,
  expired: count,
  suspended: count,
  denied: count,
  revoked: count,
});
const counts = z.record(z.string(), count);
const ratio = z.array(
  z.object({
    of: z.string(),
    sent: count,
    verified: count,
    ratio: z.number().nullable().describe('Verified divided by sent.'),
  }),
);

export const DaysQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(30).describe('Number of days to include.'),
});

export const DashboardView = z
  .object({
    days: count,
    states: states.describe('Devices by state. Unknown devices are not stored.'),
    pending: z.object({
      total: count,
      oldest_age_seconds: count.nullable(),
      requests: z.array(
        z.object({
          request_id: z.uuid(),
          device_id: z.uuid(),
          user_id: z.uuid(),
          age_seconds: count,
        }),
      ),
    }),
    decisions: z
      .array(
        z.object({
          at: time,
          action: z.string(),
          reason: z.string().nullable(),
          by: z.object({ kind: z.string(), id: z.string().nullable() }),
          device_id: z.string().nullable(),
        }),
      )
      .describe('The 50 most recent.'),
    risk_events: z.array(z.object({ rule: z.string(), count })),
    stale_devices: z
      .array(
        z.object({ device_id: z.uuid(), user_id: z.uuid(), name: z.string(), last_seen: time }),
      )
      .describe('Approved devices not used for 14 days.'),
    admins_without_device: z.array(z.object({ user_id: z.uuid(), name: z.string().nullable() })),
    otp: z.object({ by_channel: ratio, by_country: ratio }),
    lockouts: counts,
    refused_sends: z
      .array(z.object({ reason: z.string(), count }))
      .describe('One-time codes requested but not sent.'),
    top_networks: z
      .array(z.object({ network: z.string(), count }))
      .describe('Networks with the most failures and denials: /24 for IPv4, /48 for IPv6.'),
  })
  .meta({
    id: 'DeviceDashboard',
    description: 'Current counts of devices, requests, sign-ins and failures.',
    examples: [
      {
        days: 30,
        states: {
          unknown: 0,
          pending: 1,
          cleared: 12,
          expired: 2,
          suspended: 1,
          denied: 0,
          revoked: 3,
        },
        pending: {
          total: 1,
          oldest_age_seconds: 2700,
          requests: [
            {
              request_id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
              device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
              user_id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
              age_seconds: 2700,
            },
          ],
        },
        decisions: [
          {
            at: '2026-05-04T09:30:00.000Z',
            action: 'device.cleared',
            reason: null,
            by: { kind: 'user', id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04' },
            device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
          },
        ],
        risk_events: [{ rule: 'impossible_travel', count: 1 }],
        stale_devices: [],
        admins_without_device: [],
        otp: { by_channel: [{ of: 'email', sent: 40, verified: 38, ratio: 0.95 }], by_country: [] },
        lockouts: { otp: 0 },
        refused_sends: [],
        top_networks: [{ network: '203.0.113.0/24', count: 4 }],
      },
    ],
  });

export const SeriesView = z
  .object({
    method: z.string(),
    days: z
      .array(z.string())
      .describe('UTC days, oldest first, in the same order as the counts in each series.'),
    states,
    series: z.array(z.object({ action: z.string(), counts: z.array(count) })),
    totals: counts,
  })
  .meta({
    id: 'DeviceAnalytics',
    description: 'Time series of devices, requests and sign-ins.',
    examples: [
      {
        method: 'GET',
        days: ['2026-05-03', '2026-05-04'],
        states: {
          unknown: 0,
          pending: 1,
          cleared: 12,
          expired: 2,
          suspended: 1,
          denied: 0,
          revoked: 3,
        },
        series: [{ action: 'device.cleared', counts: [0, 1] }],
        totals: { 'device.cleared': 1 },
      },
    ],
  });
