import { asAdmin } from '../../support/app.ts';
import { needsBoth, needsPostgres, needsRedis, neither, row, type Row } from './rows.ts';
import { newEmail } from './world.ts';

const headers = asAdmin;
const join = () => ({ email: newEmail(), consent: true });

/**
 * The waitlist: joining needs the queue only, leaving the database only. Invitations of approved
 * people are sent later.
 */
export const waitlistRows: readonly Row[] = [
  row('waitlist.join', needsRedis, () => ({ body: join() })),
  row('waitlist.join_by_form', needsRedis, () => ({
    form: { email: newEmail(), name: '', consent: 'true', website: '' },
  })),
  row('waitlist.verify', needsBoth, async (world) => ({
    body: { token: (await world.pendingEntry()).verifyToken },
  })),
  row('waitlist.verify_page', needsRedis, () => ({ query: { token: 'x' } })),
  row(
    'waitlist.verify_by_form',
    needsBoth,
    async (world) => ({ form: { token: (await world.pendingEntry()).verifyToken } }),
    { usual: 303 },
  ),
  row('waitlist.me', needsPostgres, async (world) => ({
    headers: { 'waitlist-token': (await world.ownEntry()).token },
  })),
  row('waitlist.status_page', needsPostgres, async (world) => ({
    headers: { cookie: `__Host-svc_waitlist=${(await world.ownEntry()).token}` },
  })),
  row(
    'waitlist.open_status',
    needsBoth,
    async (world) => ({ form: { token: (await world.ownEntry()).token } }),
    { usual: 303 },
  ),
  row('waitlist.leave', needsPostgres, async (world) => ({
    body: { token: (await world.pendingEntry()).leaveToken },
  })),
  row('waitlist.leave_page', neither, () => ({ query: { token: 'x' } })),
  row('waitlist.leave_by_link', needsPostgres, async (world) => ({
    form: { token: (await world.pendingEntry()).leaveToken },
  })),
  row('waitlist.leaderboard', needsPostgres, () => ({})),
  row('waitlist.stats', needsPostgres, () => ({})),
  row('waitlist.page', neither, () => ({})),
  row('waitlist.script', neither, () => ({})),

  row('waitlistEntries.list', needsPostgres, () => ({ headers })),
  row('waitlistEntries.get', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.entry() },
  })),
  row('waitlistEntries.create', needsPostgres, () => ({
    headers,
    body: { email: newEmail(), verified_because: 'A customer' },
  })),
  row('waitlistEntries.create', needsBoth, () => ({ headers, body: { email: newEmail() } }), {
    about: 'of a person who gets a link',
  }),
  row('waitlistEntries.update', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.entry() },
    body: { name: 'Grace' },
  })),
  row('waitlistEntries.delete', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.entry() },
  })),
  row('waitlistEntries.bulk', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.entry()], set: { name: 'Grace' } },
  })),
  row('waitlistEntries.export', needsPostgres, () => ({ headers })),
  row('waitlistEntries.import', needsPostgres, () => ({
    headers: { ...headers, 'content-type': 'text/csv' },
    body: `email,verified_because\n${newEmail()},A customer\n`,
  })),
  row('waitlistEntries.approve_many', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.entry()] },
  })),
  row('waitlistEntries.approve', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.entry() },
  })),
  row('waitlistEntries.get_batch', needsPostgres, async (world) => {
    const made = await world.admin.post('/api/v2/waitlist/entries/approve', {
      ids: [await world.entry()],
    });
    return { headers, params: { id: String(made.body.id) } };
  }),
  row('waitlistEntries.deny_many', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.entry()] },
  })),
  row('waitlistEntries.deny', needsPostgres, async (world) => ({
    headers,
    params: { id: await world.entry() },
  })),
  row('waitlistEntries.stats', needsPostgres, () => ({ headers })),
  row('waitlistEntries.rebuild', needsPostgres, () => ({ headers })),
];
