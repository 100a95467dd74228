import type { Role } from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireFresh } from '../../platform/identity/freshness.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { userErrors } from './errors.ts';
import type { Users } from './service.ts';
import type { User } from './store.ts';

export interface UserAdminDeps {
  users: Pick<Users, 'changeAccess'>;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}

/** The id of the acting user; undefined for API keys. */
const userIdOf = ({ actor: { kind, id } }: AuditActor): string | undefined =>
  kind === 'user' ? id : undefined;

/**
 * Changes that admins make to other accounts, with a fresh sign-in: `auth.step_up_required`. The
 * audit log records only effective changes.
 */
export function createUserAdmin({ users, audit, clock }: UserAdminDeps) {
  const record = (
    action: AuditAction,
    id: string,
    by: AuditActor,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> => audit.record({ action, ...by, target: { kind: 'user', id }, details });

  async function setRoles(
    id: string,
    by: AuditActor,
    change: (roles: readonly string[]) => string[],
  ): Promise<User> {
    requireFresh(by, clock.now());
    const { before, user } = await users.changeAccess(id, userIdOf(by), ({ roles }) => ({
      roles: change(roles),
    }));
    const [from, to] = [before.roles, change(before.roles)];
    if (from.length !== to.length) await record('user.roles_changed', id, by, { from, to });
    return user;
  }

  async function setDisabled(id: string, isDisabled: boolean, by: AuditActor): Promise<User> {
    requireFresh(by, clock.now());
    if (by.actor.id === id) throw userErrors.own_account();
    const { before, user } = await users.changeAccess(id, userIdOf(by), ({ disabledAt }) => ({
      disabledAt: isDisabled ? (disabledAt ?? new Date(clock.now())) : null,
    }));
    if ((before.disabledAt !== null) !== isDisabled)
      await record(isDisabled ? 'user.disabled' : 'user.enabled', id, by);
    return user;
  }

  return {
    /** Throws `users.not_found`. */
    giveRole: (id: string, role: Role, by: AuditActor): Promise<User> =>
      setRoles(id, by, (roles) => (roles.includes(role) ? [...roles] : [...roles, role])),

    /**
     * Admins can't remove their own role, and only admins can remove that of others, so one admin
     * always remains. Throws `users.not_found`, `.own_account`, `request.forbidden`.
     */
    async takeRole(id: string, role: Role, by: AuditActor): Promise<User> {
      if (role === 'admin' && by.actor.id === id) throw userErrors.own_account();
      return setRoles(id, by, (roles) => roles.filter((each) => each !== role));
    },

    /**
     * Ends the user's sessions and removes the devices. Throws `users.not_found`, `.own_account`.
     */
    disable: (id: string, by: AuditActor): Promise<User> => setDisabled(id, true, by),

    /** Sessions and devices stay gone. Throws `users.not_found`, `.own_account`. */
    enable: (id: string, by: AuditActor): Promise<User> => setDisabled(id, false, by),
  };
}

export type UserAdmin = ReturnType<typeof createUserAdmin>;
