import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { UserView } from '../../../../src/areas/identity/directory/schemas.ts';
import { me } from '../../../support/abuse.ts';
import { asAdmin, freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { openBearer, type SignedIn } from '../../../support/sign-in.ts';
import { type Person, ScimClient } from '../scim/client.ts';

const app = await freshApp({ env: { DEVICE_BINDING: 'none' } });
const users = new TestClient(app).as(asAdmin).at('/api/v1/users');
const scim = new ScimClient(app);
afterEach(() => sql`drop trigger if exists broken on audit_events`.execute(app.stores.db));

/** Makes the last step of changes fail: the audit event of this action is refused. */
async function breakAt(action: 'user.profile_changed' | 'user.created'): Promise<void> {
  await sql`
    create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'no room'; end $$`.execute(app.stores.db);
  await sql`
    create trigger broken before insert on audit_events for each row
    when (new.action = ${sql.lit(action)}) execute function refuse()`.execute(app.stores.db);
}

/** A user as admins see it, without the time of the last request, which is stored later. */
async function show(id: string): Promise<object> {
  const { last_seen_at: _, ...user } = (await users.get<UserView>(`/${id}`)).body;
  return user;
}
const isSignedIn = async ({ bearer }: SignedIn) => (await me(app, bearer)).status === 200;

/** The audit events about a user, by name: those of one change have the same time. */
async function eventsOf(id: string): Promise<string[]> {
  const { data } = await app.services.audit.list({ target_id: id, limit: 50 });
  return data.map(({ action }) => action).sort();
}

describe('a change of a user that fails at its last step', () => {
  const everything = { roles: ['viewer'], disabled: true, name: 'Ada', external_id: 'hr-1' };

  it('has changed nothing: no role, no access, no session, no audit event', async () => {
    const ada = await openBearer(app, 'ada@example.com');
    const [before, events] = [await show(ada.userId), await eventsOf(ada.userId)];
    await breakAt('user.profile_changed');
    expect((await users.patch(`/${ada.userId}`, everything)).status).toBe(500);
    expect(await show(ada.userId)).toEqual(before);
    expect(await eventsOf(ada.userId)).toEqual(events);
    expect(await isSignedIn(ada)).toBe(true);
  });

  it('has changed nothing when somebody else has the external id', async () => {
    await users.post('', { email: 'owner@example.com', external_id: 'taken' });
    const bea = await openBearer(app, 'bea@example.com');
    const [before, events] = [await show(bea.userId), await eventsOf(bea.userId)];
    const refused = await users.patch(`/${bea.userId}`, { ...everything, external_id: 'taken' });
    expect(refused).toBeProblem(409, 'users.external_id_taken');
    expect(await show(bea.userId)).toEqual(before);
    expect(await eventsOf(bea.userId)).toEqual(events);
    expect(await isSignedIn(bea)).toBe(true);
  });

  it('makes all of it when sent again, with an event for each, and ends sessions', async () => {
    const other = await openBearer(app, 'other@example.com');
    await users.patch(`/${other.userId}`, { roles: ['admin'] });
    const session = await openBearer(app, 'cara@example.com');
    const { userId } = session;
    await users.patch(`/${userId}`, { roles: ['admin'] });
    const before = await eventsOf(userId);
    const body = { ...everything, external_id: 'hr-3' };
    expect((await users.patch(`/${userId}`, body)).body).toMatchObject(body);
    const made = ['user.roles_changed', 'user.roles_changed', 'user.disabled'];
    expect(await eventsOf(userId)).toEqual([...before, ...made, 'user.profile_changed'].sort());
    expect(await isSignedIn(session)).toBe(false);
  });
});

describe('a change over SCIM that fails at its last step', () => {
  /** Somebody whom an identity provider manages, signed in and with a role. */
  async function makePerson(userName: string): Promise<{ person: Person; session: SignedIn }> {
    const { id } = await scim.create({ userName, externalId: userName });
    const session = await openBearer(app, userName);
    await users.patch(`/${id}`, { roles: ['viewer'] });
    return { person: await scim.get(id), session };
  }

  it('lets nobody in again', async () => {
    const { person } = await makePerson('dora@example.com');
    await scim.replace(person.id, 'active', false);
    const before = await scim.get(person.id);
    await breakAt('user.profile_changed');
    const body = { userName: person.userName, displayName: 'Dora', active: true };
    expect((await scim.call('PUT', `/Users/${person.id}`, { body })).status).toBe(500);
    expect(await scim.get(person.id)).toEqual(before);
  });

  it('locks out the person who was to be deleted, and repeating it completes it', async () => {
    const { person, session } = await makePerson('emil@example.com');
    await breakAt('user.profile_changed');
    expect((await scim.call('DELETE', `/Users/${person.id}`)).status).toBe(500);
    expect(await scim.get(person.id)).toMatchObject({ active: false });
    expect(await show(person.id)).toMatchObject({ roles: [], disabled: true });
    expect(await isSignedIn(session)).toBe(false);
    await sql`drop trigger broken on audit_events`.execute(app.stores.db);
    expect((await scim.call('DELETE', `/Users/${person.id}`)).status).toBe(204);
    expect((await scim.call('GET', `/Users/${person.id}`)).status).toBe(404);
  });

  it('brings nobody back by half, who was deleted', async () => {
    const { person } = await makePerson('finn@example.com');
    await scim.call('DELETE', `/Users/${person.id}`);
    const before = await show(person.id);
    await breakAt('user.created');
    const body = { userName: person.userName, externalId: 'finn' };
    expect((await scim.call('POST', '/Users', { body })).status).toBe(500);
    expect(await show(person.id)).toEqual(before);
    expect((await scim.call('GET', `/Users/${person.id}`)).status).toBe(404);
  });

  it('locks out all the same: nothing else may stop that', async () => {
    const { person, session } = await makePerson('gil@example.com');
    await breakAt('user.profile_changed');
    const body = { userName: person.userName, displayName: 'Gil', active: false };
    expect((await scim.call('PUT', `/Users/${person.id}`, { body })).status).toBe(500);
    expect(await scim.get(person.id)).toMatchObject({ ...person, active: false, meta: {} });
    expect(await isSignedIn(session)).toBe(false);
  });
});
