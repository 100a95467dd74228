import type { AppError } from '../../platform/errors/errors.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import { principalActor, type RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Requester } from '../../platform/http/requests/requester.ts';
import type { Call } from '../../platform/operations/call.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { hasScope, type ApiKeyScope } from '../../lib/access.ts';

/** The sender of a message. Authenticated for each message, even within a session. */
export interface Caller extends RequestSource {
  principal: Principal;
  /** The error of a device that is not cleared; undefined for API keys and approved devices. */
  notCleared: AppError | undefined;
  requester: Requester;
}

/** True when the key or roles of the caller include the scope, or when no scope is needed. */
export const isInScope = (scope: ApiKeyScope | undefined, { principal }: Caller): boolean =>
  scope === undefined || hasScope(principal, scope);

/** True when the caller has the scope and an approved device, or no scope is needed. */
export const canUse = (scope: ApiKeyScope | undefined, caller: Caller): boolean =>
  scope === undefined || (isInScope(scope, caller) && caller.notCleared === undefined);

/** The caller as the actor of a change. */
export const callerActor = (caller: Caller): RequestActor =>
  principalActor(caller.principal, caller);

/** A call of an operation by the caller. */
export const callOf = (caller: Caller): Call => {
  const { requester } = caller;
  return { by: callerActor(caller), requester, signal: requester.signal };
};

/** The owner of sessions and streams: a string that is unique per API key and user. */
export const ownerOf = ({ principal: { kind, id } }: Caller): string => `${kind} ${id}`;
