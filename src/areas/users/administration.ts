import type { Role } from '../../platform/identity.ts';
import type { Asker } from '../../platform/request-origin.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Audit, AuditEntry } from '../audit/service.ts';
import { userErrors } from './errors.ts';
import type { Users } from './service.ts';
import type { User } from './store.ts';

/** The admin who acts, and from where. */
export interface By extends Asker {
  actor: AuditEntry['actor'];
}

export interface UserAdminDeps {
  users: Pick<Users, 'get' | 'setRoles' | 'setDisabled'>;
  audit: Pick<Audit, 'record'>;
}

/** What admins do to other people's accounts. Each change has its entry in the audit log; what is so already changes nothing. */
export function createUserAdmin({ users, audit }: UserAdminDeps) {
  const note = (action: AuditAction, id: string, by: By, details: Readonly<Record<string, unknown>> = {}): Promise<void> => audit.record({ action, ...by, target: { kind: 'user', id }, details });

  async function setRoles(id: string, by: By, next: (held: readonly Role[]) => Role[]): Promise<User> {
    const before = await users.get(id);
    const roles = next(before.roles);
    if (roles.length === before.roles.length) return before;
    const user = await users.setRoles(id, roles);
    await note('user.roles_changed', id, by, { from: before.roles, to: roles });
    return user;
  }

  async function setDisabled(id: string, isDisabled: boolean, by: By): Promise<User> {
    if (by.actor.id === id) throw userErrors.own_account();
    const before = await users.get(id);
    if ((before.disabledAt !== null) === isDisabled) return before;
    const user = await users.setDisabled(id, isDisabled);
    await note(isDisabled ? 'user.disabled' : 'user.enabled', id, by);
    return user;
  }

  return {
    /** Throws `users.not_found`. */
    giveRole: (id: string, role: Role, by: By): Promise<User> => setRoles(id, by, (held) => [...held.filter((each) => each !== role), role]),

    /** Nobody takes the own role of an admin, so that there is always one left. Throws `users.not_found`, `.own_account`. */
    async takeRole(id: string, role: Role, by: By): Promise<User> {
      if (role === 'admin' && by.actor.id === id) throw userErrors.own_account();
      return setRoles(id, by, (held) => held.filter((each) => each !== role));
    },

    /** Shuts a person out: every session ends, every device is removed. Throws `users.not_found`, `.own_account`. */
    disable: (id: string, by: By): Promise<User> => setDisabled(id, true, by),

    /** Lets a person in again. Sessions and devices stay gone. Throws `users.not_found`, `.own_account`. */
    enable: (id: string, by: By): Promise<User> => setDisabled(id, false, by),
  };
}

export type UserAdmin = ReturnType<typeof createUserAdmin>;
