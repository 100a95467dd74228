import { describe, expect } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { openBearer } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import { core, type Person, ScimClient, scimError } from './client.ts';

const app = await sharedApp('console');
const scim = new ScimClient(app);

const modified = async (id: string): Promise<string> => (await scim.get(id)).meta.lastModified;
const mobileOf = ({ phoneNumbers }: Person): string | undefined => phoneNumbers[0]?.value;
const lockOut = { op: 'Replace', path: 'active', value: 'False' };

describe('meta.lastModified', () => {
  it('is the time of creation until something changes, and stays when nothing does', async () => {
    const made = await scim.create({
      userName: 'still@time.example',
      name: { givenName: 'Still' },
      phoneNumbers: [{ type: 'mobile', value: '+14155550110' }],
    });
    expect(made.meta.lastModified).toBe(made.meta.created);
    await scim.patch(
      made.id,
      { op: 'replace', path: 'active', value: true },
      { op: 'replace', path: 'name.givenName', value: 'Still' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'STILL@time.example' },
      { op: 'replace', path: 'title', value: 'Nurse' },
    );
    await app.services.users.setRoles(made.id, []);
    await app.services.users.noteSeen(made.id);
    expect(await scim.get(made.id)).toEqual(made);
  });

  it('moves with each change, whoever makes it', async () => {
    const { id } = await scim.create({ userName: 'moves@time.example' });
    const admin = new TestClient(app).as(asAdmin).at('/api/v1/users');
    const changes: (() => Promise<unknown>)[] = [
      () => scim.patch(id, lockOut),
      () => scim.replace(id, 'active', true),
      () => scim.replace(id, 'displayName', 'Ana'),
      () => scim.replace(id, 'name.givenName', 'Ann'),
      () => scim.replace(id, 'externalId', 'moves'),
      () => scim.replace(id, 'userName', 'moved'),
      () => scim.replace(id, 'emails', [{ value: 'moved@time.example' }]),
      () => scim.replace(id, 'phoneNumbers', [{ value: '+14155550111' }]),
      () => scim.patch(id, { op: 'remove', path: 'phoneNumbers' }),
      () => openBearer(app, 'moved@time.example'),
      () => admin.patch(`/${id}`, { name: 'Ana Diaz' }),
      () => admin.patch(`/${id}`, { disabled: true }),
      () => admin.patch(`/${id}`, { disabled: false }),
      () => admin.patch(`/${id}`, { roles: ['viewer'] }),
    ];
    let before = await modified(id);
    for (const change of changes) {
      await change();
      const after = await modified(id);
      expect(after > before, `${after} after ${before}, by ${String(change)}`).toBe(true);
      before = after;
    }
    const filter = `meta.lastModified ge "${before}" and id eq "${id}"`;
    const query = new URLSearchParams({ filter }).toString();
    const found = await scim.call<{ totalResults: number }>('GET', `/Users?${query}`);
    expect(found.body.totalResults).toBe(1);
  });
});

describe('a mobile number over SCIM', () => {
  it.each([
    ['tel:+1-415-555-0120', '+14155550120'],
    ['TEL:+1(415)555.0121', '+14155550121'],
    ['tel:+1%20415%20555%200122;isub=12;x=y', '+14155550122'],
    ['tel:415-555-0123;Phone-Context=+1', '+14155550123'],
    ['tel://+14155550124', '+14155550124'],
    ['\u202atel:+1\u2011415\u2011555\u20110125\u202c', '+14155550125'],
  ])('is read from %s', async (value, number) => {
    const person = await scim.create({
      userName: `${number.slice(1)}@tel.example`,
      phoneNumbers: [{ type: 'mobile', value }],
    });
    expect(mobileOf(person)).toBe(number);
    const query = new URLSearchParams({ filter: `PhoneNumbers.Value EQ "${value}"` }).toString();
    const { body } = await scim.call<{ Resources: Person[] }>('GET', `/Users?${query}`);
    expect(body.Resources.map(({ id }) => id)).toEqual([person.id]);
    await scim.patch(person.id, { op: 'remove', path: `phoneNumbers[value eq "${value}"]` });
    expect(mobileOf(await scim.get(person.id))).toBeUndefined();
  });

  it.each([
    '0171 2345678',
    'tel:0171-2345678',
    'tel:+1-415-555-0130;ext=12',
    'tel:',
    'ask reception',
    '%ZZ',
    12,
    '+1900555013',
  ])('is ignored when it is %j, and everything else takes effect', async (value) => {
    const name = encodeURIComponent(value).replaceAll('%', '').toLowerCase();
    const userName = `${name}@ignored.example`;
    const phoneNumbers = [{ type: 'mobile', value }];
    const made = await scim.create({ userName, phoneNumbers });
    expect(made.phoneNumbers).toEqual([]);
    const path = 'phoneNumbers[type eq "mobile"].value';
    const renamed = { op: 'replace', path: 'displayName', value: 'After' };
    expect(await scim.patch(made.id, { op: 'add', path, value }, renamed)).toMatchObject({
      status: 200,
      body: { displayName: 'After', phoneNumbers: [] },
    });
    const body = { schemas: [core], userName, displayName: 'Whole', phoneNumbers, active: 'FALSE' };
    expect(await scim.call('PUT', `/Users/${made.id}`, { body })).toMatchObject({
      status: 200,
      body: { displayName: 'Whole', active: false, phoneNumbers: [] },
    });
  });

  it('is the first one that can be read', async () => {
    const numbers = ['n/a', 'tel:+1-415-555-0140', '+14155550141'];
    const phoneNumbers = numbers.map((value) => ({ type: 'Mobile', value }));
    const person = await scim.create({ userName: 'first@tel.example', phoneNumbers });
    expect(mobileOf(person)).toBe('+14155550140');
  });
});

describe('a request that locks somebody out', () => {
  it.each<[string, object]>([
    ['a number nobody can read', { path: 'phoneNumbers[type eq "mobile"].value', value: '12' }],
    ['a name that is too long', { path: 'displayName', value: 'x'.repeat(500) }],
    ['a name of a wrong type', { path: 'name', value: 'x' }],
    ['a broken address', { path: 'emails', value: [{ value: 'nobody' }] }],
    ['a user name of control characters', { path: 'userName', value: 'a\u0007b' }],
    ['an operation without a path or members', { value: 'gone' }],
    ['several of them', { value: { 'name.givenName': ['x'], externalId: {} } }],
    ['an address of somebody else', { path: 'emails', value: 'owner@leaver.example' }],
    ['a number of somebody else', { path: 'phoneNumbers', value: '+14155550151' }],
    ['a user name of somebody else', { path: 'userName', value: 'owner@leaver.example' }],
  ])('takes effect in spite of %s, with everything else', async (what, given) => {
    await scim.call('POST', '/Users', {
      body: { userName: 'owner@leaver.example', phoneNumbers: [{ value: '+14155550151' }] },
    });
    const userName = `${what.replaceAll(' ', '-')}@leaver.example`;
    const { id } = await scim.create({ userName });
    const { bearer } = await openBearer(app, userName);
    const family = { op: 'replace', path: 'name.familyName', value: 'Left' };
    const alone = await scim.patch(id, { op: 'replace', ...given }, family);
    const isPhone = what === 'a number nobody can read';
    expect(alone.status, alone.text).toBe(isPhone ? 200 : what.includes('else') ? 409 : 400);
    if (!isPhone) expect((await scim.get(id)).name).toBeUndefined();
    expect(await scim.patch(id, { op: 'replace', ...given }, family, lockOut)).toMatchObject({
      status: 200,
      body: {
        userName,
        active: false,
        name: { familyName: 'Left' },
        emails: [{ value: userName }],
      },
    });
    const me = await new TestClient(app).as(bearer).get('/api/auth/me');
    expect(me.status).toBe(401);
  });

  it('takes effect in spite of them by PUT, too', async () => {
    const userName = 'put@leaver.example';
    const { id } = await scim.create({ userName });
    const broken = { displayName: ['x'], externalId: 'x'.repeat(500), name: 7, emails: 'nobody' };
    const body = { userName, ...broken, active: true };
    expect(await scim.call('PUT', `/Users/${id}`, { body })).toMatchObject(
      scimError(400, 'invalidValue'),
    );
    const left = await scim.call<Person>('PUT', `/Users/${id}`, {
      body: { ...body, active: 'false' },
    });
    expect(left).toMatchObject({
      status: 200,
      body: { active: false, emails: [{ value: userName }] },
    });
  });

  it('changes nothing when it is refused for the last admin', async () => {
    const { userId } = await openBearer(app, 'only@leaver.example');
    await app.services.users.setRoles(userId, ['admin']);
    const before = await scim.get(userId);
    const renamed = { op: 'replace', path: 'displayName', value: 'After' };
    expect(await scim.patch(userId, renamed, lockOut)).toMatchObject(scimError(409));
    expect(await scim.get(userId)).toEqual(before);
  });
});

describe('attribute names over SCIM', () => {
  it('have no case in a whole person', async () => {
    const answer = await scim.call<Person>('POST', '/Users', {
      body: {
        SCHEMAS: [core.toUpperCase()],
        UserName: 'case',
        EXTERNALID: 'case-1',
        Name: { GivenName: 'Ca', FAMILYNAME: 'Se' },
        Emails: [
          { Value: 'home@case.example', Type: 'home' },
          { VALUE: 'work@case.example', TYPE: 'Work', PRIMARY: 'True' },
        ],
        phonenumbers: [{ Value: '+14155550160', Type: 'Mobile' }],
        Active: 'False',
      },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        userName: 'case',
        externalId: 'case-1',
        name: { givenName: 'Ca', familyName: 'Se' },
        emails: [{ value: 'work@case.example' }],
        phoneNumbers: [{ value: '+14155550160' }],
        active: false,
      },
    });
  });

  it('have no case in operations, paths and values', async () => {
    const { id } = await scim.create({ userName: 'ops@case.example' });
    const answer = await scim.call<Person>('PATCH', `/Users/${id}`, {
      body: {
        operations: [
          { OP: 'ADD', Path: 'Emails[Type EQ "Work"].Value', Value: 'new@case.example' },
          { Op: 'Replace', value: { ACTIVE: 'FALSE', 'Name.GivenName': 'Op' } },
          {
            op: 'replace',
            path: `${core.toUpperCase()}:PhoneNumbers`,
            value: [{ Value: '+14155550161' }],
          },
          { op: 'replace', value: { [core]: { DisplayName: 'Ops' } } },
        ],
      },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        active: false,
        displayName: 'Ops',
        name: { givenName: 'Op' },
        emails: [{ value: 'new@case.example' }],
        phoneNumbers: [{ value: '+14155550161' }],
      },
    });
    for (const filter of [
      `${core.toUpperCase()}:Emails[Type EQ "work" AND Value Sw "NEW@case"]`,
      'ACTIVE Eq FALSE and Emails.Value eq "new@case.example"',
      'NOT (Active eq True) and Name.GivenName PR and DisplayName eq "ops"',
    ]) {
      const query = new URLSearchParams({ filter }).toString();
      const found = await scim.call<{ Resources: Person[] }>('GET', `/Users?${query}`);
      expect(found.status, filter).toBe(200);
      expect(
        found.body.Resources.map((each) => each.id),
        filter,
      ).toEqual([id]);
    }
  });

  it('are refused twice in one object, and nothing is stored', async () => {
    const body = { userName: 'twice@case.example', UserName: 'again@case.example' };
    expect(await scim.call('POST', '/Users', { body })).toMatchObject(
      scimError(400, 'invalidValue'),
    );
    const query = new URLSearchParams({ filter: 'userName co "@case.example"' }).toString();
    const { text } = await scim.call('GET', `/Users?${query}`);
    expect(text).not.toMatch(/twice|again/);
  });
});
