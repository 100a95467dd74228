import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { core, type Person, ScimClient, scimError } from './client.ts';

const app = await sharedApp('console');
const scim = new ScimClient(app);

const put = (id: string, person: object) =>
  scim.call<Person>('PUT', `/Users/${id}`, { body: { schemas: [core], ...person } });

let made = 0;
/** Somebody who has everything that a PUT could remove. */
async function makePerson(): Promise<{ before: Person; whole: object }> {
  made += 1;
  const whole = {
    userName: `full${made}@unread.example`,
    externalId: `X${made}`,
    displayName: 'Ana M. Diaz',
    name: { givenName: 'Ana', familyName: 'Diaz' },
    phoneNumbers: [{ type: 'mobile', value: `+1415555${1700 + made}` }],
  };
  return { before: await scim.create(whole), whole };
}
const withoutTime = ({ meta: _, ...person }: Person) => person;

describe('a PUT which names what nobody can read', () => {
  it.each<[string, object]>([
    ['external id', { externalId: 'x'.repeat(201) }],
    ['external id of a wrong type', { externalId: { value: 7 } }],
    ['shown name', { displayName: ['x', 'y'] }],
    ['name', { name: 7 }],
    ['part of a name', { name: { givenName: 7, familyName: 'Diaz' } }],
    ['number', { phoneNumbers: [{ type: 'mobile', value: 'ask reception' }] }],
    ['list of numbers', { phoneNumbers: 12 }],
    ['address', { emails: [{ value: 'nobody' }], userName: 'someone@else.example' }],
  ])('keeps the %s as it was when it locks the person out', async (_, broken) => {
    const { before, whole } = await makePerson();
    const answer = await put(before.id, { ...whole, ...broken, active: false });
    expect(answer.status, answer.text).toBe(200);
    const userName = 'userName' in broken ? broken.userName : before.userName;
    expect(withoutTime(answer.body)).toEqual({ ...withoutTime(before), userName, active: false });
  });

  it('keeps the number as it was when nobody is locked out', async () => {
    const { before, whole } = await makePerson();
    const phoneNumbers = [{ type: 'mobile', value: '0171 2345678' }];
    const answer = await put(before.id, { ...whole, phoneNumbers, active: true });
    expect(answer.status, answer.text).toBe(200);
    expect(withoutTime(answer.body)).toEqual(withoutTime(before));
  });

  it('removes what it leaves out, and a number when it names only one of an office', async () => {
    const { before } = await makePerson();
    const phoneNumbers = [{ type: 'work', value: '+14155551799' }];
    const { userName } = before;
    const { status, body } = await put(before.id, { userName, phoneNumbers, active: false });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('externalId');
    expect(body).not.toHaveProperty('name');
    expect(body.phoneNumbers).toEqual([]);
  });
});

describe('a lockout', () => {
  it.each<[string, object, object]>([
    ['an empty user name', { userName: '' }, { active: false }],
    ['a user name of a wrong type', { userName: 5 }, { active: false }],
    ['no user name', { userName: undefined }, { active: false }],
    ['spaces around its value', { userName: null }, { active: 'False ' }],
  ])('takes effect by PUT in spite of %s, which is refused otherwise', async (_, broken, off) => {
    const { before, whole } = await makePerson();
    for (const active of [true, undefined, '', 'no'])
      expect(await put(before.id, { ...whole, ...broken, active })).toMatchObject(
        scimError(400, 'invalidValue'),
      );
    expect(await scim.get(before.id)).toEqual(before);
    const answer = await put(before.id, { ...whole, ...broken, ...off });
    expect(answer.status, answer.text).toBe(200);
    expect(withoutTime(answer.body)).toEqual({ ...withoutTime(before), active: false });
  });

  it.each<[string, unknown]>([
    ['an unknown `op`', { op: 'zzz', path: 'active', value: true }],
    ['no `op`', { path: 'displayName', value: 'x' }],
    ['a path of a wrong type', { op: 'replace', path: 7, value: 'x' }],
    ['a path that is too long', { op: 'replace', path: 'x'.repeat(301), value: 'x' }],
    ['an invalid operation', 'replace'],
    ['null', null],
  ])('takes effect by PATCH in spite of %s, which is refused otherwise', async (_, broken) => {
    const { before } = await makePerson();
    const patch = (...Operations: unknown[]) =>
      scim.call<Person>('PATCH', `/Users/${before.id}`, { body: { Operations } });
    const renamed = { op: 'replace', path: 'displayName', value: 'After' };
    expect(await patch(renamed, broken)).toMatchObject(scimError(400, 'invalidValue'));
    expect(await scim.get(before.id)).toEqual(before);
    const off = { op: 'replace', value: { active: 'False' } };
    expect(await patch(broken, renamed, off)).toMatchObject({
      status: 200,
      body: { active: false, displayName: 'After' },
    });
  });

  it('is read from a value in an object, and not from one with an unknown `op`', async () => {
    const { before } = await makePerson();
    const unknown = { op: 'zzz', path: 'active', value: false };
    expect(await scim.patch(before.id, unknown)).toMatchObject(scimError(400, 'invalidValue'));
    expect((await scim.get(before.id)).active).toBe(true);
    expect(await scim.replace(before.id, 'active', { value: false })).toMatchObject({
      status: 200,
      body: { active: false },
    });
  });

  it('creates nobody who has no user name', async () => {
    const body = { emails: [{ value: 'nameless@unread.example' }], active: false };
    expect(await scim.call('POST', '/Users', { body })).toMatchObject(
      scimError(400, 'invalidValue'),
    );
    const query = new URLSearchParams({ filter: 'userName sw "nameless"' }).toString();
    expect((await scim.call('GET', `/Users?${query}`)).body).toMatchObject({ totalResults: 0 });
  });
});
