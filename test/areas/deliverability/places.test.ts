import zipcodes from 'zipcodes';
import { expect, it } from 'vitest';
import { createPlaces } from '../../../src/areas/deliverability/places.ts';

it('every code of the list is found, with its place, and no code between them', async () => {
  const places = createPlaces();
  const codes = Object.entries(zipcodes.codes);
  expect(codes.length).toBeGreaterThan(44_000);
  const wrong: string[] = [];
  for (const [code, { city, state, country, latitude, longitude }] of codes) {
    const found = await places.find(
      country === 'US' ? 'US' : 'CA',
      country === 'US' ? code : `${code}0A0`,
    );
    if (
      found?.city !== city ||
      found.region !== state ||
      (typeof latitude === 'number' &&
        (found.latitude !== latitude || found.longitude !== longitude))
    )
      wrong.push(code);
    const near = `${code.slice(0, -1)}!`;
    if ((await places.find('US', near)) !== null) wrong.push(near);
  }
  expect(wrong).toEqual([]);
});

it('other countries and missing codes are not found', async () => {
  const places = createPlaces();
  expect(await places.find('GB', 'SW01A1AA')).toBeUndefined();
  expect(await places.find('DE', '10115')).toBeUndefined();
  expect(await places.find('US', '00000')).toBeNull();
  expect(await places.find('US', '99999')).toBeNull();
  expect(await places.find('CA', 'Z9Z9Z9')).toBeNull();
  expect(await places.find('PR', '00901')).toMatchObject({ city: 'San Juan', region: 'PR' });
});
