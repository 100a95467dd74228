import { hasAnyRole, type Role } from '../../../lib/access.ts';

/**
 * True for clients that use the public drawing slots: users without a role as well, because anyone
 * can sign up.
 */
export const usesPublicSlots = (
  principal: { kind: string; roles?: readonly Role[] } | undefined,
): boolean =>
  principal === undefined || (principal.kind === 'user' && !hasAnyRole(principal.roles ?? []));
