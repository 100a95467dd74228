import type { ApiKeyScope } from '../../lib/access.ts';
import type { AppError } from '../../platform/errors/errors.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import type { Requester } from '../../platform/http/requests/requester.ts';
import { hasScope, type Principal } from '../../platform/identity/identity.ts';

/** Who sends a message. Looked up for each message, also within a session. */
export interface Caller extends RequestSource {
  /** Undefined only for the conformance suite. */
  principal: Principal | undefined;
  /** Why the person's device is not cleared; undefined for API keys and cleared devices. */
  notCleared: AppError | undefined;
  requester: Requester;
}

/** True when the caller's key or roles have the scope, or none is needed. */
export const isInScope = (scope: ApiKeyScope | undefined, { principal }: Caller): boolean =>
  scope === undefined || hasScope(principal, scope);

/** True when the caller has the scope and a cleared device, or no scope is needed. */
export const canUse = (scope: ApiKeyScope | undefined, caller: Caller): boolean =>
  scope === undefined || (isInScope(scope, caller) && caller.notCleared === undefined);

/** The owner of the caller's sessions and streams: a text for each key and person. */
export const ownerOf = ({ principal }: Caller): string =>
  principal === undefined ? 'nobody' : `${principal.kind} ${principal.id}`;
