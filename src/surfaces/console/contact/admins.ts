import type { ConsoleServices } from '../context.ts';
import { nameOf } from '../people/labels.tsx';
import type { Admin } from './inbox-page.tsx';

const maxAdmins = 100;

/** The users that messages can be assigned to, with their names. */
export async function readAdmins({ users }: Pick<ConsoleServices, 'users'>): Promise<Admin[]> {
  const { data } = await users.list({ limit: maxAdmins, role: 'admin', disabled: false });
  return data.map((user) => [user.id, nameOf(user)]);
}
