import type { Sessions } from '../sessions/service.ts';

/** What is known about a user outside SQL. */
export interface PersonStore {
  area: string;
  title: string;
  about: string;
  columns: readonly string[];
  read: (userId: string) => Promise<Readonly<Record<string, unknown>>[]>;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** The sessions of a user, in Redis. */
export const sessionsOfPerson = (sessions: Pick<Sessions, 'list'>): PersonStore => ({
  area: 'account',
  title: 'sessions',
  about: 'Where you are signed in.',
  columns: ['id', 'via', 'client', 'amr', 'acr', 'created_at', 'last_used_at', 'expires_at'],
  read: async (userId) =>
    (await sessions.list(userId)).map(({ id, via, client, amr, acr, ...times }) => ({
      id,
      via,
      client,
      amr,
      acr,
      created_at: iso(times.created_at),
      last_used_at: iso(times.used_at),
      expires_at: iso(times.expires_at),
    })),
});
