import { randomUUID } from 'node:crypto';
import { asAdmin } from '../../support/app.ts';
import {
  needsBoth,
  needsPostgres,
  needsRedis,
  neither,
  row,
  tellsSessions,
  type Row,
} from './rows.ts';
import { newEmail, scimBody, type World } from './world.ts';

const headers = asAdmin;
const missing = { usual: 404 };
const deviceId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

const toUser = async (world: World) => ({ headers, params: { id: await world.user() } });
const toScimUser = async (world: World) => ({ headers, params: { id: await world.scimUser() } });
const toInvitation = async (world: World) => ({
  headers,
  params: { id: (await world.invitation()).id },
});

/** Somebody asks about their own account. */
const own = async (world: World) => ({ headers: (await world.signIn()).headers });

/** People, for admins: roles and locks apply to running sessions, which are in Redis. */
const directoryRows: readonly Row[] = [
  row('users.list', needsPostgres, () => ({ headers })),
  row('users.get', needsPostgres, toUser),
  row('users.create', needsPostgres, () => ({ headers, body: { email: newEmail() } })),
  row(
    'users.create',
    needsBoth,
    () => ({
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: { email: newEmail() },
    }),
    { about: 'with an Idempotency-Key' },
  ),
  row('users.update', tellsSessions, async (world) => ({
    ...(await toUser(world)),
    body: { name: 'Grace' },
  })),
  row(
    'users.update',
    tellsSessions,
    async (world) => ({ ...(await toUser(world)), body: { disabled: true } }),
    { about: 'that locks a person out' },
  ),
  row('users.delete', tellsSessions, toUser, { repeated: 404 }),
  row('users.bulk', tellsSessions, async (world) => ({
    headers,
    body: { ids: [await world.user()], set: { name: 'Grace' } },
  })),
  row('users.export', needsPostgres, () => ({ headers })),
  row('users.import', needsPostgres, () => ({
    headers: { ...headers, 'content-type': 'text/csv' },
    body: `email,name\n${newEmail()},Ada\n`,
  })),
  row('users.list_sessions', needsBoth, toUser),
  row('users.end_sessions', needsBoth, toUser),
  row('users.end_session', needsRedis, async (world) => {
    const { userId, sessionId } = await world.signIn();
    return { headers, params: { id: userId, session_id: sessionId } };
  }),
  row('users.list_devices', needsBoth, toUser),
  row('users.revoke_devices', needsBoth, toUser),
  row(
    'users.revoke_device',
    needsBoth,
    async (world) => ({ headers, params: { id: await world.user(), device_id: deviceId } }),
    missing,
  ),
  row('users.get_factor_reset', needsPostgres, toUser, missing),
  row(
    'users.request_factor_reset',
    needsRedis,
    async (world) => ({ ...(await toUser(world)), body: { reason: 'Lost the phone' } }),
    { usual: 403 },
  ),
  row('users.approve_factor_reset', needsRedis, toUser, { usual: 403 }),
  row('users.cancel_factor_reset', needsPostgres, toUser, missing),
];

const invitationRows: readonly Row[] = [
  row('invitations.list', needsPostgres, () => ({ headers })),
  row('invitations.get', needsPostgres, toInvitation),
  row('invitations.create', needsBoth, () => ({ headers, body: { email: newEmail() } })),
  row('invitations.resend', needsBoth, toInvitation),
  row('invitations.revoke', needsPostgres, toInvitation),
  row('invitations.page', needsBoth, async (world) => ({
    headers: { accept: 'text/html' },
    query: { token: (await world.invitation()).token },
  })),
  row(
    'invitations.accept',
    needsBoth,
    async (world) => ({ form: { token: (await world.invitation()).token } }),
    { usual: 303 },
  ),
  row('invitations.switch', needsBoth, async (world) => ({
    form: { token: (await world.invitation()).token },
  })),
];

const scimRows: readonly Row[] = [
  row('scim.list_users', needsPostgres, () => ({ headers })),
  row('scim.get_user', needsPostgres, toScimUser),
  row('scim.create_user', needsPostgres, () => ({ headers, body: scimBody() }), { usual: 201 }),
  row('scim.replace_user', tellsSessions, async (world) => ({
    ...(await toScimUser(world)),
    body: scimBody(),
  })),
  row('scim.update_user', tellsSessions, async (world) => ({
    ...(await toScimUser(world)),
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'displayName', value: 'Grace' }],
    },
  })),
  row('scim.delete_user', tellsSessions, toScimUser, { usual: 204 }),
  row('scim.get_config', neither, () => ({ headers })),
  row('scim.list_resource_types', neither, () => ({ headers })),
  row('scim.get_resource_type', neither, () => ({ headers, params: { id: 'User' } })),
  row('scim.list_schemas', neither, () => ({ headers })),
  row('scim.get_schema', neither, () => ({
    headers,
    params: { id: 'urn:ietf:params:scim:schemas:core:2.0:User' },
  })),
];

/** The own account: sessions are in Redis. */
const accountRows: readonly Row[] = [
  row('account.get', needsBoth, own),
  row('account.update', needsBoth, async (world) => ({
    ...(await own(world)),
    body: { name: 'Grace' },
  })),
  row('account.change_email', needsBoth, async (world) => ({
    ...(await own(world)),
    body: { email: newEmail() },
  })),
  row('account.change_phone', needsBoth, async (world) => ({
    ...(await own(world)),
    body: { phone: '+14155550132' },
  })),
  row(
    'account.confirm_email',
    needsBoth,
    async (world) => ({ ...(await own(world)), body: { code: '000000' } }),
    { usual: 400 },
  ),
  row(
    'account.confirm_phone',
    needsBoth,
    async (world) => ({ ...(await own(world)), body: { code: '000000' } }),
    { usual: 400 },
  ),
  row('account.start_export', needsBoth, own, { usual: 202 }),
  row('account.get_export', needsBoth, own),
  row('account.get_export_file', needsBoth, own, missing),
  row('account.put_avatar', needsBoth, async (world) => ({
    headers: { ...(await world.signIn()).headers, 'content-type': 'image/png' },
    body: await world.png(),
  })),
  row('account.delete_avatar', needsBoth, own),
  row('account.get_avatar', needsPostgres, async (world) => {
    const { userId, headers: session } = await world.signIn();
    const put = await world.admin.send('PUT', '/api/v1/users/me/avatar', await world.png(), {
      headers: { ...session, 'content-type': 'image/png' },
    });
    const file = String(put.body.picture).split('/').at(-1) ?? '';
    return { params: { id: userId, file } };
  }),
  row('account.delete', needsBoth, own),
  row('account.keep', needsBoth, own),
  row('account.get_factor_reset', needsBoth, own, missing),
  row('account.cancel_factor_reset', needsBoth, own, { usual: 204 }),
];

/** Users, their invitations, SCIM, and your own account. */
export const userRows: readonly Row[] = [
  ...directoryRows,
  ...invitationRows,
  ...scimRows,
  ...accountRows,
];
