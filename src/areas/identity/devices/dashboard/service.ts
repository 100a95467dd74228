import type { z } from 'zod';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { cancellable, type Database } from '../../../../platform/database/database.ts';
import type { AuditFigures } from '../../../audit/figures.ts';
import { riskRules } from '../recognition/risk.ts';
import {
  countStates,
  listAdminsWithoutDevice,
  listOpenRequests,
  listStaleDevices,
  maxListed,
} from './figures.ts';
import type { DashboardView, SeriesView } from './schemas.ts';

export interface DashboardDeps {
  db: Database;
  figuresIn: (db: Database) => AuditFigures;
  clock: Clock;
}

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

async function lastDecisions(figures: AuditFigures) {
  const rows = await figures.latest(decisions, maxListed);
  return rows.map(({ at, action, reason, actor_kind: kind, actor_id: id, target_id: target }) => ({
    at: at.toISOString(),
    action,
    reason,
    by: { kind, id },
    device_id: target,
  }));
}

async function codeRatios(figures: AuditFigures, since: Date) {
  const [byChannel, byCountry] = await Promise.all([
    figures.byDetail(['otp.sent', 'otp.verified'], 'channel', since),
    figures.byDetail(['otp.sent', 'otp.verified'], 'country', since),
  ]);
  return { by_channel: ratios(byChannel), by_country: ratios(byCountry) };
}

/** Counts suspensions and flags by risk rule. */
async function riskEvents(figures: AuditFigures, since: Date) {
  const rows = await figures.byReason(['device.suspended', 'device.flagged'], since);
  return rows
    .filter(({ reason }) => Object.hasOwn(riskRules, reason))
    .map(({ reason, count }) => ({ rule: reason, count }));
}

async function overview(
  db: Database,
  figures: AuditFigures,
  now: number,
  days: number,
): Promise<z.input<typeof DashboardView>> {
  const since = new Date(now - days * dayMs);
  const [states, pending, decided, risks, stale, admins, otp, lockouts, refused, networks] =
    await Promise.all([
      countStates(db),
      listOpenRequests(db, now),
      lastDecisions(figures),
      riskEvents(figures, since),
      listStaleDevices(db, now),
      listAdminsWithoutDevice(db),
      codeRatios(figures, since),
      figures.byDay(['otp.locked', 'otp.closed', 'second_factor.failed'], since),
      figures.byReason(['otp.refused'], since),
      figures.worstNetworks(since, 10),
    ]);
  return {
    days,
    states,
    pending,
    decisions: decided,
    risk_events: risks,
    stale_devices: stale,
    admins_without_device: admins,
    otp,
    lockouts: sums(lockouts),
    refused_sends: refused,
    top_networks: networks,
  };
}

async function series(
  db: Database,
  figures: AuditFigures,
  now: number,
  days: number,
): Promise<Omit<z.input<typeof SeriesView>, 'method'>> {
  const today = Math.floor(now / dayMs) * dayMs;
  const since = new Date(today - (days - 1) * dayMs);
  const actions = [...deviceActions, ...codeActions];
  const [states, rows] = await Promise.all([countStates(db), figures.byDay(actions, since)]);
  const known = new Map(rows.map(({ day, action, count }) => [`${day} ${action}`, count]));
  const dates = Array.from({ length: days }, (_, at) =>
    new Date(since.getTime() + at * dayMs).toISOString().slice(0, 10),
  );
  const lines = actions.map((action) => ({
    action,
    counts: dates.map((date) => known.get(`${date} ${action}`) ?? 0),
  }));
  return { days: dates, states, series: lines, totals: sums(rows) };
}

/** Statistics of devices and sign-ins for admins. Aborting the signal cancels the queries. */
export function createDashboard({ db, figuresIn, clock }: DashboardDeps) {
  return {
    /** Totals of the last `days` days, open requests and recent decisions. */
    overview(days: number, signal?: AbortSignal) {
      const reads = cancellable(db, signal);
      return overview(reads, figuresIn(reads), clock.now(), days);
    },

    /** How many devices are in each state. */
    states: (signal?: AbortSignal) => countStates(cancellable(db, signal)),

    /** Counts of each of the last `days` UTC days, oldest first. */
    series(days: number, signal?: AbortSignal) {
      const reads = cancellable(db, signal);
      return series(reads, figuresIn(reads), clock.now(), days);
    },
  };
}

function sums(rows: readonly { action: string; count: number }[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { action, count } of rows) totals[action] = (totals[action] ?? 0) + count;
  return totals;
}

/** For each value: codes sent, codes verified, and their ratio; most sent first. */
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
