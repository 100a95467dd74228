import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createDeliveryWatch,
  deliveryStatus,
} from '../../../src/areas/status/recording/deliveries.ts';
import { minuteMs } from '../../../src/lib/durations.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { statusOf } from './support.ts';

const builtin = ['database', 'redis', 'jobs', 'analytics', 'realtime'];
const holds = (app: FreshApp) =>
  expect.poll(() => app.services.status.recorder.isHolder()).toBe(true);

describe('the service', () => {
  it('records how long it was not running, and ignores a quick restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'status-'));
    let now = Date.UTC(2026, 5, 1, 12);
    const clock = { now: () => now };
    const first = await freshApp({ dataDir, clock });
    await holds(first);
    expect(first.services.status.state().history).toEqual([]);
    await first.close();
    now += 20_000;
    const second = await freshApp({ dataDir, clock, databaseUrl: first.databaseUrl });
    await holds(second);
    expect(second.services.status.state().history).toEqual([]);
    await second.close();
    now += 7_200_000;
    const third = await freshApp({ dataDir, clock, databaseUrl: first.databaseUrl });
    await expect.poll(() => third.services.status.state().history).toHaveLength(1);
    const { history, components, indicator } = third.services.status.state();
    expect(history[0]).toMatchObject({
      name: 'Service outage',
      status: 'resolved',
      impact: 'critical',
      createdAt: now - 7_200_000,
      resolvedAt: now,
    });
    expect(history[0]?.updates[0]?.body).toContain('(2 hours)');
    expect(indicator).toBe('none');
    expect(components.map(({ id, days }) => [id, days.at(-1)?.ms.major_outage])).toEqual(
      builtin.map((id) => [id, 7_200_000]),
    );
    await third.close();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('probes a component that an admin adds, and shows its response time', async () => {
    const server = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1');
    let now = Date.UTC(2026, 5, 1, 12);
    const app = await freshApp({ clock: { now: () => now } });
    await holds(app);
    const { port } = server.address() as AddressInfo;
    expect(
      await statusOf(app).admin.post('/components', {
        name: 'Website',
        source: 'http',
        target: `http://127.0.0.1:${port}/`,
        settings: { interval_s: 15 },
      }),
    ).toMatchObject({ status: 200 });
    const website = () => app.services.status.state().components.find(({ id }) => id === 'website');
    await expect
      .poll(async () => {
        now += 61_000;
        app.services.status.recorder.sample();
        await app.services.status.recorder.tick();
        return website()?.responseTimes.length;
      })
      .toBeGreaterThan(0);
    expect(website()).toMatchObject({ status: 'operational', uptime: 100 });
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await expect
      .poll(() => {
        now += 15_000;
        app.services.status.recorder.sample();
        return website()?.status;
      })
      .toBe('major_outage');
    const anyone = new TestClient(app);
    const { body, text } = await anyone.get('/api/status');
    expect(body).toMatchObject({ status: { indicator: 'major' } });
    expect(text).not.toContain(`:${port}`);
    expect(await anyone.get('/api/health/ready')).toMatchObject({ status: 200 });
    await app.close();
  }, 60_000);

  it.each([
    [{ settled: 0, failed: 0 }, 'operational'],
    [{ settled: 9, failed: 0 }, 'operational'],
    [{ settled: 2, failed: 2 }, 'degraded_performance'],
    [{ settled: 9, failed: 1 }, 'degraded_performance'],
    [{ settled: 9, failed: 5 }, 'partial_outage'],
    [{ settled: 3, failed: 3 }, 'major_outage'],
  ])('derives from the deliveries %j of a channel the status %s', (counts, status) => {
    expect(deliveryStatus(counts)).toBe(status);
  });

  it('derives the status of email and SMS from the deliveries of 15 minutes', async () => {
    let now = Date.UTC(2026, 5, 1, 12);
    const clock = { now: () => now };
    const app = await freshApp({
      clock,
      env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'post@svc.example' },
    });
    expect(app.services.status.state().components.map(({ id }) => id)).toEqual([
      ...builtin,
      'email',
    ]);
    const at = new Date(now);
    const failed = () => ({
      id: uuidv7(now),
      key_hash: uuidv7(now),
      channel: 'email' as const,
      template: 'otp',
      to_hash: 'x',
      status: 'failed' as const,
      attempts: 1,
      provider: 'smtp',
      provider_reference: null,
      error_code: null,
      expires_at: at,
      created_at: at,
      updated_at: at,
    });
    const { db } = app.stores;
    await db.insertInto('deliveries').values([failed(), failed(), failed()]).execute();
    const watch = createDeliveryWatch({ db, clock });
    const check = (channel: 'email' | 'sms') => watch.check(channel)(new AbortController().signal);
    expect(await check('email')).toMatchObject({
      status: 'warn',
      output: '3 of 3 messages failed in 15 minutes',
    });
    expect(await check('sms')).toEqual({ observedValue: 0, observedUnit: 'failed' });
    expect(watch.status('email')()).toBe('major_outage');
    expect(watch.status('sms')()).toBe('operational');
    now += 15 * minuteMs + 1;
    expect(await check('email')).not.toHaveProperty('status');
    await app.close();
  }, 60_000);
});
