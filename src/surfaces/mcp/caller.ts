import type { AppError } from '../../platform/errors/errors.ts';
import { hasScope, type Principal } from '../../platform/identity/identity.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import type { Requester } from '../../platform/http/requester.ts';
import type { Asker } from '../../platform/http/request-origin.ts';

/** Who sends a message: looked at anew with each one, in sessions too. */
export interface Caller extends Asker {
  /** Undefined only while the conformance suite may ask. */
  principal: Principal | undefined;
  /** Why a person's device does not allow what REST asks a cleared device for; undefined for keys and for cleared devices. */
  notCleared: AppError | undefined;
  /** Who asks stores by this message. */
  questioner: Requester;
}

/** True when the caller's key or roles have the scope; what has none is open to whoever came in. */
export const isInScope = (scope: ApiKeyScope | undefined, { principal }: Caller): boolean =>
  scope === undefined || hasScope(principal, scope);

/** True when the caller would get through to what has this scope. */
export const mayUse = (scope: ApiKeyScope | undefined, caller: Caller): boolean =>
  scope === undefined || (isInScope(scope, caller) && caller.notCleared === undefined);

/** One text for each key and person: what a session belongs to. */
export const ownerOf = ({ principal }: Caller): string =>
  principal === undefined ? 'nobody' : `${principal.kind} ${principal.id}`;
