import { hasAnyRole, type Role } from '../../../lib/access.ts';

/**
 * True for clients that get the drawing slots of strangers: people without a role as well, because
 * anybody may sign up.
 */
export const isStranger = (
  principal: { kind: string; roles?: readonly Role[] } | undefined,
): boolean =>
  principal === undefined || (principal.kind === 'user' && !hasAnyRole(principal.roles ?? []));
