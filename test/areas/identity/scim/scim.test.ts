import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { me } from '../../../support/abuse.ts';
import { openBearer } from '../../../support/sign-in.ts';
import { core, type Person, ScimClient, scimError } from './client.ts';

const app = await sharedApp('console');
const scim = new ScimClient(app);

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

interface List {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: Person[];
}

const create = (person: object): Promise<Person> => scim.create(person);
const patch = (id: string, ...operations: object[]) => scim.patch(id, ...operations);
const replace = (id: string, path: string, value: unknown) => scim.replace(id, path, value);
const get = (id: string): Promise<Person> => scim.get(id);
const call: ScimClient['call'] = (...sent) => scim.call(...sent);
const listUsers = (query: Record<string, string>) =>
  call<List>('GET', `/Users?${new URLSearchParams(query).toString()}`);
const filterBy = (filter: string) => listUsers({ filter });
const search = async (filter: string): Promise<List> => {
  const answer = await filterBy(filter);
  expect(answer.status, filter).toBe(200);
  return answer.body;
};
const names = async (filter: string): Promise<string[]> =>
  (await search(filter)).Resources.map(({ userName }) => userName);
const rolesOf = async (id: string) => (await app.services.users.get(id)).roles;

describe('Microsoft Entra by SCIM', () => {
  it('looks for a person, creates, changes, locks out and deletes them', async () => {
    const nobody = await search('userName eq "Ana@Contoso.example"');
    expect(nobody).toMatchObject({ totalResults: 0, Resources: [] });
    const made = await create({
      schemas: [core, enterprise],
      externalId: 'ana',
      userName: 'Ana@Contoso.example',
      active: true,
      displayName: 'Ana Diaz',
      emails: [{ primary: true, type: 'work', value: 'Ana.Diaz@contoso.example' }],
      phoneNumbers: [
        { type: 'work', value: '4711' },
        { type: 'mobile', value: '+1 415 555 0142' },
      ],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ana Diaz', familyName: 'Diaz', givenName: 'Ana' },
      roles: [{ value: 'admin' }],
      title: 'Nurse',
      [enterprise]: { department: 'Ward 3', manager: { value: '1' } },
    });
    expect(made).toMatchObject({
      externalId: 'ana',
      userName: 'Ana@Contoso.example',
      emails: [{ value: 'Ana.Diaz@contoso.example', type: 'work', primary: true }],
      phoneNumbers: [{ value: '+14155550142', type: 'mobile' }],
      meta: { resourceType: 'User', location: `http://127.0.0.1:3000/scim/v2/Users/${made.id}` },
    });
    expect(JSON.stringify(made)).not.toMatch(/Nurse|Ward|roles/);
    expect(await rolesOf(made.id)).toEqual([]);

    const changed = await patch(
      made.id,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ana@contoso.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Ruiz' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Ward 4' },
      { op: 'Add', value: { displayName: 'Ana Ruiz', 'name.givenName': 'Anna' } },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        displayName: 'Ana Ruiz',
        name: { formatted: 'Ana Ruiz', givenName: 'Anna', familyName: 'Ruiz' },
        emails: [{ value: 'ana@contoso.example' }],
      },
    });

    const locked = await patch(made.id, { op: 'Replace', path: 'active', value: 'False' });
    expect(locked.body).toMatchObject({ active: false });
    const inactive = await names('userName eq "ana@contoso.EXAMPLE" and active eq false');
    expect(inactive).toEqual(['Ana@Contoso.example']);
    expect(await call('DELETE', `/Users/${made.id}`)).toMatchObject({ status: 204 });
    expect(await call('GET', `/Users/${made.id}`)).toMatchObject(scimError(404));
    expect(await call('DELETE', `/Users/${made.id}`)).toMatchObject(scimError(404));
    expect(await names('externalId eq "ana"')).toEqual([]);
  });

  it('moves an account that nobody has signed in to yet to the new address only', async () => {
    const { id } = await create({ userName: 'old@contoso.example' });
    await replace(id, 'userName', 'new@contoso.example');
    expect(await get(id)).toMatchObject({
      userName: 'new@contoso.example',
      emails: [{ value: 'new@contoso.example' }],
    });
    expect((await openBearer(app, 'old@contoso.example')).userId).not.toBe(id);
    expect((await openBearer(app, 'new@contoso.example')).userId).toBe(id);
  });

  it('ends the sessions of a person it locks out, and lets them in again', async () => {
    const { userId, bearer } = await openBearer(app, 'bo@contoso.example');
    expect((await me(app, bearer)).status).toBe(200);
    await patch(userId, { op: 'replace', value: { active: false } });
    expect((await me(app, bearer)).status).toBe(401);
    await patch(userId, { op: 'replace', value: { active: true } });
    expect((await get(userId)).active).toBe(true);
    expect((await me(app, bearer)).status).toBe(401);
  });
});

describe('Okta by SCIM', () => {
  it('creates a person, who signs in to that account; replaces and deactivates them', async () => {
    const whole = {
      userName: 'kim@okta.example',
      name: { givenName: 'Kim', familyName: 'Lee' },
      emails: [{ primary: true, value: 'kim@okta.example', type: 'work' }],
      displayName: 'Kim Lee',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const { id } = await create(whole);
    expect((await openBearer(app, 'kim@okta.example')).userId).toBe(id);
    const answer = await call('PUT', `/Users/${id}`, {
      body: { schemas: [core], ...whole, id, displayName: '', name: { givenName: 'Kimberly' } },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { displayName: 'Kimberly', name: { givenName: 'Kimberly' }, active: true },
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/Lee|1mz050nq/);
    await patch(id, { op: 'replace', value: { id, active: false } });
    expect(await get(id)).toMatchObject({ active: false, externalId: '00ujl29u0le5T6Aj10h7' });
  });

  it('gets a deleted person back by creating them again, without their roles', async () => {
    const { id } = await create({ userName: 'lea@okta.example', externalId: 'lea-1' });
    await openBearer(app, 'lea@okta.example');
    await app.services.users.setRoles(id, ['viewer']);
    await call('DELETE', `/Users/${id}`);
    const again = await create({ userName: 'lea@okta.example', externalId: 'lea-2' });
    expect(again).toMatchObject({ id, externalId: 'lea-2', active: true });
    expect(await rolesOf(id)).toEqual([]);
  });

  it('pages through all users in a stable order', async () => {
    for (const at of [1, 2, 3]) await create({ userName: `page${at}@okta.example` });
    const pageFrom = async (startIndex: string) =>
      (await listUsers({ filter: 'userName sw "page"', startIndex, count: '2' })).body;
    const [first, second] = [await pageFrom('1'), await pageFrom('3')];
    expect(first).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 2 });
    expect(second).toMatchObject({ totalResults: 3, startIndex: 3, itemsPerPage: 1 });
    const ids = [...first.Resources, ...second.Resources].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const none = { startIndex: 1, itemsPerPage: 0, Resources: [] };
    expect((await listUsers({ startIndex: '-5', count: '-1' })).body).toMatchObject(none);
    expect(await listUsers({ count: '9999' })).toMatchObject({ status: 200 });
  });
});

describe('a filter', () => {
  beforeAll(async () => {
    await create({
      userName: 'op.1@filter.example',
      externalId: 'Op-1',
      name: { givenName: '100%', familyName: 'A_b' },
    });
    await create({ userName: 'op.2@filter.example', displayName: 'Zoe' });
  });

  const one = 'op.1@filter.example';
  const other = 'op.2@filter.example';
  const longAgo = '2020-01-01T00:00:00Z';
  it.each([
    ['USERNAME EQ "OP.1@filter.example"', [one]],
    [`${core}:userName eq "op.1@filter.example"`, [one]],
    ['externalId eq "Op-1"', [one]],
    ['externalId pr', [one]],
    ['not (displayName eq "zoe")', [one]],
    ['name.givenName co "0%"', [one]],
    ['name.familyName eq "a_B"', [one]],
    ['displayName lt "zoe"', [one]],
    ['displayName ne "Zoe"', [one]],
    ['emails.value eq "OP.1@filter.example"', [one]],
    ['emails eq "op.1@filter.example"', [one]],
    ['emails[type eq "work" and value co "op.1"]', [one]],
    ['active eq true', [one, other]],
    ['active ne "False"', [one, other]],
    ['emails pr', [one, other]],
    [`meta.created ge "${longAgo}" and meta.lastModified gt "${longAgo}"`, [one, other]],
    ['userName ge "op" or userName le "a"', [one, other]],
    ['phoneNumbers eq null', [one, other]],
    ['externalId eq "op-1"', []],
    ['userName co "_"', []],
    ['phoneNumbers.value pr', []],
  ])('by %s finds %j', async (filter, found) => {
    const ours = await names(`userName ew "@filter.example" and (${filter})`);
    expect(ours.sort()).toEqual(found);
  });
});

describe('the documents of the service', () => {
  it('say what is supported', async () => {
    expect((await call('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: false },
    });
    expect((await call('GET', '/ResourceTypes')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: 'User', endpoint: '/Users' }],
    });
    const { body } = await call<{ attributes: { name: string }[] }>('GET', `/Schemas/${core}`);
    const members = ['userName', 'displayName', 'name', 'emails', 'phoneNumbers', 'active'];
    expect(body.attributes.map(({ name }) => name)).toEqual(members);
    expect(await call('GET', '/Schemas/urn:x')).toMatchObject(scimError(404));
  });
});

describe('SCIM', () => {
  it('opens no verified account through a new address', async () => {
    const victim = await openBearer(app, 'victim@abuse.example');
    const work = 'emails[type eq "work"].value';
    expect(await replace(victim.userId, work, 'attacker@abuse.example')).toMatchObject({
      status: 200,
      body: { emails: [{ value: 'attacker@abuse.example' }, { value: 'victim@abuse.example' }] },
    });
    const attacker = await openBearer(app, 'attacker@abuse.example');
    expect(attacker.userId).not.toBe(victim.userId);
    expect((await openBearer(app, 'victim@abuse.example')).userId).toBe(victim.userId);
    const { emails } = await get(victim.userId);
    expect(emails.map(({ value }) => value)).toEqual(['victim@abuse.example']);
  });

  it('refuses an address of somebody else', async () => {
    await openBearer(app, 'owner@abuse.example');
    const other = await create({ userName: 'other@abuse.example' });
    for (const [path, value] of [
      ['emails', [{ value: 'OWNER@abuse.example', primary: true }]],
      ['userName', 'owner@abuse.example'],
    ] as const)
      expect(await replace(other.id, path, value)).toMatchObject(scimError(409, 'uniqueness'));
    const body = { userName: 'owner@abuse.example', emails: [{ value: 'new@abuse.example' }] };
    expect(await call('POST', '/Users', { body })).toMatchObject(scimError(409, 'uniqueness'));
    expect(await names('emails.value eq "new@abuse.example"')).toEqual([]);
    expect(await get(other.id)).toMatchObject({ userName: 'other@abuse.example' });
  });

  it('never takes what a filter holds for SQL', async () => {
    for (const filter of [
      `userName eq "x' or '1'='1"`,
      'userName eq "x\\" or userName pr or userName eq \\""',
      `externalId co "%'; drop table users; --"`,
      'userName eq "\\u0000"',
    ])
      expect((await search(filter)).totalResults, filter).toBe(0);
    for (const filter of ["id'; drop table users", 'password pr', '1 eq 1', 'userName like "x"'])
      expect(await filterBy(filter)).toMatchObject(scimError(400, 'invalidFilter'));
  });

  it('refuses a filter that is too long, too deep or has too many comparisons', async () => {
    const long = `userName eq "${'x'.repeat(1000)}"`;
    const deep = `${'('.repeat(400)}active eq true${')'.repeat(400)}`;
    const many = Array.from({ length: 21 }, () => 'active eq true').join(' or ');
    for (const filter of [long, many, '('.repeat(900), 'constructor eq "x"'])
      expect(await filterBy(filter)).toMatchObject(scimError(400, 'invalidFilter'));
    expect((await search(deep)).totalResults).toBeGreaterThan(0);
  });

  it('refuses a PATCH of more than 50 operations, or 64 KB', async () => {
    const { id } = await create({ userName: 'huge@abuse.example', displayName: 'Before' });
    const operation = { op: 'replace', path: 'displayName', value: 'After' };
    const many = Array.from({ length: 51 }, () => operation);
    expect(await patch(id, ...many)).toMatchObject(scimError(400, 'invalidValue'));
    expect(await patch(id, { ...operation, value: 'x'.repeat(70_000) })).toMatchObject(
      scimError(413),
    );
    expect(await patch(id, { ...operation, value: 'x'.repeat(201) })).toMatchObject(
      scimError(400, 'invalidValue'),
    );
    expect(await get(id)).toMatchObject({ displayName: 'Before' });
  });

  it('ignores roles, and everything that the service does not have', async () => {
    const { id } = await create({ userName: 'roles@abuse.example' });
    const before = await get(id);
    const answer = await patch(
      id,
      { op: 'add', path: 'roles', value: [{ value: 'admin' }] },
      { op: 'add', path: 'roles[primary eq "True"].value', value: 'admin' },
      { op: 'replace', value: { roles: ['admin'], entitlements: ['x'], disabled_at: null } },
      { op: 'replace', path: 'constructor.prototype', value: true },
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual(before);
    expect(await rolesOf(id)).toEqual([]);
  });

  it('refuses others in its own format', async () => {
    const { key } = await app.services.apiKeys.create({ name: 'x', scopes: ['analytics:read'] });
    const reader = { authorization: `Bearer ${key}` };
    expect(await call('GET', '/Users', { headers: {} })).toMatchObject(scimError(401));
    expect(await call('GET', '/Users', { headers: reader })).toMatchObject(scimError(403));
  });

  it('neither locks out nor deletes the last admin', async () => {
    const { userId } = await openBearer(app, 'last@abuse.example');
    await app.services.users.setRoles(userId, ['admin']);
    expect(await replace(userId, 'active', false)).toMatchObject(scimError(409));
    expect(await call('DELETE', `/Users/${userId}`)).toMatchObject(scimError(409));
    expect((await get(userId)).active).toBe(true);
    expect(await rolesOf(userId)).toEqual(['admin']);
  });

  it('creates one user by several equal requests at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((at) => {
        const emails = [{ value: `race${at}@abuse.example` }];
        return call('POST', '/Users', { body: { userName: 'Race-Name', emails } });
      }),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expect(answer).toMatchObject(scimError(409, 'uniqueness'));
    expect((await search('userName eq "race-name"')).totalResults).toBe(1);
  });

  it('refuses unknown schemas, broken JSON and other types', async () => {
    const person = { userName: 'schema@abuse.example' };
    for (const [sent, status, scimType] of [
      [{ body: { schemas: [enterprise], ...person } }, 400, 'invalidValue'],
      [{ body: { schemas: [core] } }, 400, 'invalidValue'],
      [{ body: { userName: 'no address' } }, 400, 'invalidValue'],
      [{ body: '{"userName":' }, 400, 'invalidSyntax'],
      [{ body: '{"userName":"a@b.example","userName":"c@d.example"}' }, 400, 'invalidValue'],
      [{ body: person, type: 'text/plain' }, 415, undefined],
    ] as const)
      expect(await call('POST', '/Users', sent)).toMatchObject(scimError(status, scimType));
    const json = await call('POST', '/Users', { body: person, type: 'application/json' });
    const location = expect.any(String) as string;
    expect(json).toMatchObject({ status: 201, headers: { location } });
  });

  it('refuses values of a wrong type, which change nothing', async () => {
    const { id } = await create({ userName: 'types@abuse.example' });
    const before = await get(id);
    const wrong: [operation: object, scimType?: string][] = [
      [{ op: 'replace', path: 'active', value: 5 }],
      [{ op: 'replace', path: 'active', value: 'no' }],
      [{ op: 'replace', value: 'active' }],
      [{ op: 'replace', path: 'userName', value: ['x'] }],
      [{ op: 'remove', path: 'userName' }],
      [{ op: 'remove', path: 'emails' }],
      [{ op: 'replace', path: 'displayName', value: 'a\u0000b' }],
      [{ op: 'move', path: 'active' }],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ];
    for (const [operation, scimType = 'invalidValue'] of wrong)
      expect(await patch(id, operation)).toMatchObject(scimError(400, scimType));
    expect(await get(id)).toEqual(before);
    expect(await call('GET', '/Users/no-id')).toMatchObject(scimError(404));
  });
});
