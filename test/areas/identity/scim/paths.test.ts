import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { type Person, ScimClient, scimError } from './client.ts';

const scim = new ScimClient(await sharedApp('console'));

const mobileOf = ({ phoneNumbers }: Person): string | undefined => phoneNumbers[0]?.value;

describe('the path of an operation over SCIM', () => {
  it('may select an entry by any filter, and what is not selected stays', async () => {
    const { id } = await scim.create({
      userName: 'path@filter.example',
      phoneNumbers: [{ type: 'mobile', value: '+14155550170' }],
    });
    const set = async (path: string, value: string) => (await scim.replace(id, path, value)).body;
    for (const [index, filter] of [
      'type eq "work" and primary eq true',
      'not (type eq "home")',
      'type ne "home" AND (primary EQ "True" or type eq "other")',
      'value co "@FILTER" and value pr',
      'type sw "wo"',
    ].entries()) {
      const address = `p${index}@filter.example`;
      expect((await set(`emails[${filter}].value`, address)).emails, filter).toMatchObject([
        { value: address },
      ]);
    }
    const mobile = 'phoneNumbers[type eq "mobile" and value eq "tel:+1-415-555-0170"].value';
    expect(mobileOf(await set(mobile, '+14155550171'))).toBe('+14155550171');
    const before = await scim.get(id);
    for (const path of [
      'emails[type eq "home" and primary eq true].value',
      'emails[type eq "work" and not (primary eq true)].value',
      'emails[display eq "x"].value',
      'emails[type eq "work" and value[type eq "x"]].value',
      'phoneNumbers[type eq "work" or type eq "fax"].value',
      'addresses[type eq "work" and primary eq true].streetAddress',
      'ims[type eq "a]b"].value',
    ])
      expect(await scim.replace(id, path, 'other@filter.example'), path).toMatchObject({
        status: 200,
        body: before,
      });
  });

  it('is refused when its filter is broken, and nothing changes', async () => {
    const made = await scim.create({ userName: 'broken@filter.example' });
    for (const filter of [
      '',
      'type',
      'type eq',
      "type eq 'work'",
      'type eq "work" and',
      '(type pr',
    ])
      expect(
        await scim.patch(
          made.id,
          { op: 'replace', path: 'displayName', value: 'After' },
          { op: 'replace', path: `emails[${filter}].value`, value: 'x@filter.example' },
        ),
        filter,
      ).toMatchObject(scimError(400, 'invalidPath'));
    expect(await scim.get(made.id)).toEqual(made);
  });

  it('takes a single value in a list with one entry, as Entra wrote it', async () => {
    const { id } = await scim.create({ userName: 'listed@list.example' });
    const listed = (path: string, value: string) => ({
      op: 'Replace',
      path,
      value: [{ $ref: null, value }],
    });
    const answer = await scim.patch(
      id,
      listed('displayName', 'Pat'),
      listed('name.givenName', 'Patricia'),
      listed('externalId', 'listed-1'),
      listed('active', 'False'),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        displayName: 'Pat',
        name: { givenName: 'Patricia' },
        externalId: 'listed-1',
        active: false,
      },
    });
    const two = { op: 'Replace', path: 'displayName', value: [{ value: 'A' }, { value: 'B' }] };
    expect(await scim.patch(id, two)).toMatchObject(scimError(400, 'invalidValue'));
    expect((await scim.get(id)).displayName).toBe('Pat');
  });
});
