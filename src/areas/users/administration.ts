import type { Clock } from '../../lib/clock.ts';
import type { Role } from '../../lib/access.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { userErrors } from './errors.ts';
import type { Users } from './service.ts';
import type { User } from './store.ts';

export interface UserAdminDeps {
  users: Pick<Users, 'administer'>;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}

/** What admins do to other people's accounts. Each change has its entry in the audit log; what is so already changes nothing. */
export function createUserAdmin({ users, audit, clock }: UserAdminDeps) {
  const note = (
    action: AuditAction,
    id: string,
    by: AuditActor,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> => audit.record({ action, ...by, target: { kind: 'user', id }, details });

  /** A person by the own id; programs have none among people. */
  const personOf = ({ actor: { kind, id } }: AuditActor): string | undefined =>
    kind === 'user' ? id : undefined;

  async function setRoles(
    id: string,
    by: AuditActor,
    next: (held: readonly string[]) => string[],
  ): Promise<User> {
    const { before, user } = await users.administer(id, personOf(by), ({ roles }) => ({
      roles: next(roles),
    }));
    const [from, to] = [before.roles, next(before.roles)];
    if (from.length !== to.length) await note('user.roles_changed', id, by, { from, to });
    return user;
  }

  async function setDisabled(id: string, isDisabled: boolean, by: AuditActor): Promise<User> {
    if (by.actor.id === id) throw userErrors.own_account();
    const { before, user } = await users.administer(id, personOf(by), ({ disabledAt }) => ({
      disabledAt: isDisabled ? (disabledAt ?? new Date(clock.now())) : null,
    }));
    if ((before.disabledAt !== null) !== isDisabled)
      await note(isDisabled ? 'user.disabled' : 'user.enabled', id, by);
    return user;
  }

  return {
    /** Throws `users.not_found`. */
    giveRole: (id: string, role: Role, by: AuditActor): Promise<User> =>
      setRoles(id, by, (held) => (held.includes(role) ? [...held] : [...held, role])),

    /** Nobody takes the own role of an admin, and only who is one takes that of others: so there is always one left. Throws `users.not_found`, `.own_account`, `request.forbidden`. */
    async takeRole(id: string, role: Role, by: AuditActor): Promise<User> {
      if (role === 'admin' && by.actor.id === id) throw userErrors.own_account();
      return setRoles(id, by, (held) => held.filter((each) => each !== role));
    },

    /** Shuts a person out: every session ends, every device is removed. Throws `users.not_found`, `.own_account`. */
    disable: (id: string, by: AuditActor): Promise<User> => setDisabled(id, true, by),

    /** Lets a person in again. Sessions and devices stay gone. Throws `users.not_found`, `.own_account`. */
    enable: (id: string, by: AuditActor): Promise<User> => setDisabled(id, false, by),
  };
}

export type UserAdmin = ReturnType<typeof createUserAdmin>;
