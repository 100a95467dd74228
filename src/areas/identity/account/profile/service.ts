import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import { toUserClaims } from '../../claims-schemas.ts';
import { userErrors } from '../../users/errors.ts';
import type { AccountParts } from '../context.ts';
import type { OwnAccount, ProfilePatch } from '../schemas.ts';

/** The user's own profile. */
export function createProfile({ users, profiles, audit }: AccountParts) {
  async function show(id: string): Promise<OwnAccount> {
    const [user, profile] = await Promise.all([users.get(id), profiles.find(id)]);
    if (profile === undefined) throw userErrors.not_found();
    return {
      ...toUserClaims(user),
      locale: profile.locale,
      zoneinfo: profile.zoneinfo,
      created_at: user.createdAt.toISOString(),
      deletion_due_at: profile.deletion_due_at?.toISOString() ?? null,
    };
  }

  return {
    /** Throws `users.not_found`. */
    show,

    /** Changes the fields that are given; null empties one. Throws `users.not_found`. */
    async change(id: string, patch: ProfilePatch, from: RequestOrigin): Promise<OwnAccount> {
      const fields = Object.entries(patch).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      if (fields.length === 0) return show(id);
      await profiles.change(id, patch);
      await users.refresh(id);
      await audit.record({
        action: 'user.profile_changed',
        ...userActor(id, from),
        target: { kind: 'user', id },
        details: { fields },
      });
      return show(id);
    },
  };
}
