import type { Role } from '../../../lib/access.ts';
import type { Database } from '../../../platform/database/database.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit, AuditActor, AuditEntry } from '../../audit/service.ts';
import type { Access } from '../users/access/store.ts';
import { userErrors } from '../users/errors.ts';
import type { Users } from '../users/service.ts';
import type { User } from '../users/model.ts';

interface UserAdminParts extends Resources {
  audit: Audit;
  users: Users;
}

/** What changes about the access of a user. */
export interface AccessChange {
  give?: readonly Role[];
  take?: readonly Role[];
  /** Default: as it is. */
  disabled?: boolean | undefined;
}

/** The id of the acting user; undefined for API keys. */
const userIdOf = ({ actor: { kind, id } }: AuditActor): string | undefined =>
  kind === 'user' ? id : undefined;

/** The roles before and after each one that is given or taken, in turn. */
function roleSteps(before: readonly string[], { give = [], take = [] }: AccessChange) {
  let to = before;
  const step = (next: readonly string[]) => {
    const from = to;
    to = next;
    return { from, to };
  };
  return [
    ...give.filter((role) => !before.includes(role)).map((role) => step([...to, role])),
    ...take
      .filter((role) => before.includes(role))
      .map((role) => step(to.filter((each) => each !== role))),
  ];
}

/**
 * Changes that admins make to other accounts, with a fresh sign-in: `auth.step_up_required`. The
 * audit log records only effective changes.
 */
export function createUserAdmin({ users, audit, clock }: UserAdminParts) {
  return {
    changeAccess,

    /** Throws `users.not_found`. */
    giveRole: (id: string, role: Role, by: AuditActor): Promise<User> =>
      changeAccess(id, { give: [role] }, by),

    /**
     * Admins can't remove their own role, and only admins can remove that of others, so one admin
     * always remains. Throws `users.not_found`, `.own_account`, `request.forbidden`.
     */
    takeRole: (id: string, role: Role, by: AuditActor): Promise<User> =>
      changeAccess(id, { take: [role] }, by),

    /**
     * Ends the user's sessions and removes the devices. Throws `users.not_found`, `.own_account`.
     */
    disable: (id: string, by: AuditActor): Promise<User> =>
      changeAccess(id, { disabled: true }, by),

    /** Sessions and devices stay gone. Throws `users.not_found`, `.own_account`. */
    enable: (id: string, by: AuditActor): Promise<User> =>
      changeAccess(id, { disabled: false }, by),
  };

  /** The access that comes after `before`, and the audit events of the change. */
  function decide(id: string, change: AccessChange, by: AuditActor, before: Access) {
    const { disabled } = change;
    const event = { ...by, target: { kind: 'user', id } };
    const steps = roleSteps(before.roles, change);
    const entries: AuditEntry[] = steps.map((details) => ({
      ...event,
      action: 'user.roles_changed',
      details,
    }));
    const next = { ...before, roles: steps.at(-1)?.to ?? before.roles };
    if (disabled === undefined) return { entries, next };
    if ((before.disabledAt !== null) !== disabled)
      entries.push({ ...event, action: disabled ? 'user.disabled' : 'user.enabled' });
    const disabledAt = disabled ? (before.disabledAt ?? new Date(clock.now())) : null;
    return { entries, next: { ...next, disabledAt } };
  }

  /**
   * Changes the access of a user and, in the same transaction, what `also` changes: all of it or
   * nothing. Throws `users.not_found`, `.own_account`, `.last_admin`, `.review_account`,
   * `request.forbidden`, `auth.step_up_required`.
   */
  async function changeAccess(
    id: string,
    change: AccessChange,
    by: AuditActor,
    also?: (within: Database) => Promise<unknown>,
  ): Promise<User> {
    const isOwn = by.actor.id === id;
    if (isOwn && change.take?.includes('admin') === true) throw userErrors.own_account();
    requireFresh(by, clock.now());
    if (isOwn && change.disabled !== undefined) throw userErrors.own_account();
    let entries: readonly AuditEntry[] = [];
    return users.change(id, {
      access: {
        by: userIdOf(by),
        next(before) {
          const decision = decide(id, change, by, before);
          ({ entries } = decision);
          return decision.next;
        },
      },
      async also(within) {
        if (entries.length > 0) await audit.recordIn(within, entries);
        await also?.(within);
      },
    });
  }
}

export type UserAdmin = ReturnType<typeof createUserAdmin>;
