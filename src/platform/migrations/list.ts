import type { Migration } from 'kysely';
import { initial } from './0001-initial.ts';

/** Every migration by name. Names sort in the order they run; a released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
};
