import { expect } from 'vitest';
import { comparable } from './abuse-tables.ts';
import type { TestClient } from './client.ts';

/** An id that nothing has. */
export const unknownId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

interface Refused {
  /** An entry that exists. */
  id: string;
  /** What creates another one. */
  body: object;
  member: readonly [name: string, value: unknown];
  /** Where entries are created and changed. Default: the client's own path. */
  paths?: { create: string; entries: string };
}

/** Expects that no one can give entries this member: not when they are made, nor by any change. */
export async function expectMemberRefused(
  client: TestClient,
  { id, body, member: [name, value], paths = { create: '', entries: '' } }: Refused,
): Promise<void> {
  const change = { [name]: value };
  expect(await client.post(paths.create, { ...body, ...change })).toBeInvalid(`body.${name}`);
  expect(await client.patch(`${paths.entries}/${id}`, change)).toBeInvalid(`body.${name}`);
  const bulk = await client.post(`${paths.entries}/bulk`, { ids: [id], set: change });
  expect(bulk).toMatchObject({ status: 422 });
}

/** Expects that the id of an entry that was deleted gets the 404 of an id that never was one. */
export async function expectLikeUnknown(
  entries: TestClient,
  deletedId: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<void> {
  const deleted = await entries.send(method, `/${deletedId}${path}`, body);
  expect(deleted).toMatchObject({ status: 404 });
  const unknown = await entries.send(method, `/${unknownId}${path}`, body);
  expect(comparable(unknown)).toEqual(comparable(deleted));
}

/** Imports a CSV file twenty times at once. Returns how many entries that made. */
export async function importTwentyTimes(entries: TestClient, csv: string): Promise<number> {
  const headers = { 'content-type': 'text/csv' };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      entries.post<{ succeeded: number }>('/import', csv, { headers }),
    ),
  );
  return responses.reduce((sum, { body }) => sum + body.succeeded, 0);
}
