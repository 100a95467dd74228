import { sql } from 'kysely';
import type { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { dayMs } from '../../../lib/durations.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { AuditFigures } from '../../audit/figures.ts';
import { riskRules } from '../recognition/risk.ts';
import { deviceStates, type DeviceState } from '../states.ts';
import type { DashboardView, SeriesView } from './schemas.dashboard.ts';

export interface DashboardDeps {
  db: Database;
  figuresIn: (db: Database) => AuditFigures;
  clock: Clock;
}

const staleDays = 14;
const maxListed = 50;
const deviceActions = [
  'device.requested',
  'device.cleared',
  'device.denied',
  'device.suspended',
  'device.restored',
  'device.expired',
  'device.revoked',
  'device.flagged',
] as const;
const decisions = [
  'device.cleared',
  'device.denied',
  'device.suspended',
  'device.restored',
  'device.revoked',
] as const;
const codeActions = [
  'otp.sent',
  'otp.verified',
  'otp.failed',
  'otp.refused',
  'otp.locked',
  'otp.closed',
] as const;

/** What the dashboard is made of. */
function createReads(db: Database, figures: AuditFigures) {
  async function states(): Promise<Record<DeviceState, number>> {
    const rows = await db
      .selectFrom('devices')
      .select(['state', sql<number>`count(*)::int`.as('count')])
      .groupBy('state')
      .execute();
    const counts = new Map<string, number>(rows.map(({ state, count }) => [state, count]));
    const countOf = (state: DeviceState): number => counts.get(state) ?? 0;
    const [unknown, pending, cleared, expired, suspended, denied, revoked] =
      deviceStates.map(countOf);
    return {
      unknown: unknown ?? 0,
      pending: pending ?? 0,
      cleared: cleared ?? 0,
      expired: expired ?? 0,
      suspended: suspended ?? 0,
      denied: denied ?? 0,
      revoked: revoked ?? 0,
    };
  }

  async function queue(now: number) {
    const rows = await db
      .selectFrom('clearance_requests')
      .select(['id', 'device_id', 'user_id', 'created_at'])
      .where('state', '=', 'open')
      .where('expires_at', '>', new Date(now))
      .orderBy('created_at')
      .limit(maxListed)
      .execute();
    const { total } = await db
      .selectFrom('clearance_requests')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('state', '=', 'open')
      .where('expires_at', '>', new Date(now))
      .executeTakeFirstOrThrow();
    const requests = rows.map(({ id, device_id, user_id, created_at: at }) => ({
      request_id: id,
      device_id,
      user_id,
      age_seconds: Math.max(0, Math.floor((now - at.getTime()) / 1000)),
    }));
    return { total, oldest_age_seconds: requests[0]?.age_seconds ?? null, requests };
  }

  async function stale(now: number) {
    const rows = await db
      .selectFrom('devices')
      .select(['id', 'user_id', 'name', 'last_seen'])
      .where('state', '=', 'cleared')
      .where('last_seen', '<', new Date(now - staleDays * dayMs))
      .orderBy('last_seen')
      .limit(maxListed)
      .execute();
    return rows.map(({ id, user_id, name, last_seen: seen }) => ({
      device_id: id,
      user_id,
      name,
      last_seen: seen.toISOString(),
    }));
  }

  async function adminsWithout() {
    const { rows } = await sql<{ id: string; name: string | null }>`
      select id, name from users where 'admin' = any(roles) and disabled_at is null
      and not exists (select from devices where user_id = users.id and state = 'cleared') order by created_at limit ${maxListed}`.execute(
      db,
    );
    return rows.map(({ id, name }) => ({ user_id: id, name }));
  }

  async function lastDecisions() {
    const rows = await figures.latest(decisions, maxListed);
    return rows.map(
      ({ at, action, reason, actor_kind: kind, actor_id: id, target_id: target }) => ({
        at: at.toISOString(),
        action,
        reason,
        by: { kind, id },
        device_id: target,
      }),
    );
  }

  async function codes(since: Date) {
    const [byChannel, byCountry] = await Promise.all([
      figures.byDetail(['otp.sent', 'otp.verified'], 'channel', since),
      figures.byDetail(['otp.sent', 'otp.verified'], 'country', since),
    ]);
    return { by_channel: ratios(byChannel), by_country: ratios(byCountry) };
  }

  return { figures, states, queue, stale, adminsWithout, lastDecisions, codes };
}

/** What admins see of devices and sign-ins. Its reads end when the signal is aborted. */
export function createDashboard({ db, figuresIn, clock }: DashboardDeps) {
  function readsUntil(signal: AbortSignal | undefined) {
    const reads = cancellable(db, signal);
    return createReads(reads, figuresIn(reads));
  }

  return {
    /** The last `days` days in figures, and what waits for somebody. */
    async overview(days: number, signal?: AbortSignal): Promise<z.input<typeof DashboardView>> {
      const { figures, states, queue, stale, adminsWithout, lastDecisions, codes } =
        readsUntil(signal);
      const now = clock.now();
      const since = new Date(now - days * dayMs);
      const [
        counts,
        pending,
        decided,
        risks,
        staleDevices,
        admins,
        otp,
        lockouts,
        refused,
        networks,
      ] = await Promise.all([
        states(),
        queue(now),
        lastDecisions(),
        figures.byReason(['device.suspended', 'device.flagged'], since),
        stale(now),
        adminsWithout(),
        codes(since),
        figures.byDay(['otp.locked', 'otp.closed', 'second_factor.failed'], since),
        figures.byReason(['otp.refused'], since),
        figures.worstNetworks(since, 10),
      ]);
      return {
        days,
        states: counts,
        pending,
        decisions: decided,
        risk_events: risks
          .filter(({ reason }) => Object.hasOwn(riskRules, reason))
          .map(({ reason, count }) => ({ rule: reason, count })),
        stale_devices: staleDevices,
        admins_without_device: admins,
        otp,
        lockouts: sums(lockouts),
        refused_sends: refused,
        top_networks: networks,
      };
    },

    /** The same as series of days, oldest first. */
    async series(
      days: number,
      signal?: AbortSignal,
    ): Promise<Omit<z.input<typeof SeriesView>, 'method'>> {
      const { figures, states } = readsUntil(signal);
      const today = Math.floor(clock.now() / dayMs) * dayMs;
      const since = new Date(today - (days - 1) * dayMs);
      const actions = [...deviceActions, ...codeActions];
      const [counts, rows] = await Promise.all([states(), figures.byDay(actions, since)]);
      const known = new Map(rows.map(({ day, action, count }) => [`${day} ${action}`, count]));
      const dates = Array.from({ length: days }, (_, at) =>
        new Date(since.getTime() + at * dayMs).toISOString().slice(0, 10),
      );
      const lines = actions.map((action) => ({
        action,
        counts: dates.map((date) => known.get(`${date} ${action}`) ?? 0),
      }));
      return { days: dates, states: counts, series: lines, totals: sums(rows) };
    },
  };
}

function sums(rows: readonly { action: string; count: number }[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { action, count } of rows) totals[action] = (totals[action] ?? 0) + count;
  return totals;
}

/** Of each value: codes sent, codes entered right, and their ratio. */
function ratios(
  rows: readonly { action: string; value: string | null; count: number }[],
): { of: string; sent: number; verified: number; ratio: number | null }[] {
  const byValue = new Map<string, { sent: number; verified: number }>();
  for (const { action, value, count } of rows) {
    if (value === null) continue;
    const entry = byValue.get(value) ?? { sent: 0, verified: 0 };
    byValue.set(
      value,
      action === 'otp.sent'
        ? { ...entry, sent: entry.sent + count }
        : { ...entry, verified: entry.verified + count },
    );
  }
  return [...byValue]
    .map(([of, { sent, verified }]) => ({
      of,
      sent,
      verified,
      ratio: sent === 0 ? null : Math.round((verified / sent) * 1000) / 1000,
    }))
    .sort((a, b) => b.sent - a.sent);
}

export type Dashboard = ReturnType<typeof createDashboard>;
