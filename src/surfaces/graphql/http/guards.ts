import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { hasScope, type Principal } from '../../../platform/identity/identity.ts';
import type { Guards } from '../../../areas/auth/guards.ts';
import type { DeviceGuards } from '../../../areas/blackops/guards.ts';
import type { Access } from '../context.ts';
import { graphqlErrors } from '../errors.ts';

export interface AccessDeps {
  guards: Guards;
  deviceGuards: DeviceGuards;
}

type Guard = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** What HTTP asks of a page of another site before it may send such a header. */
export const preflightHeader = 'graphql-require-preflight';

/** Makes what asks who may see a field: the guards of the REST routes, in their order, each asked once for a request. */
export function createAccessOf({ guards, deviceGuards }: AccessDeps) {
  const scopes: Readonly<Record<'session' | 'admin' | 'reader', readonly Guard[]>> = {
    session: [guards.signedIn()],
    admin: [guards.requireScope('admin'), deviceGuards.clearedDevice()],
    reader: [guards.requireScope('analytics:read'), deviceGuards.clearedDevice()],
  };

  /** A link or a picture on another site makes a browser GET with the cookie: nothing is answered to that which needs it. */
  function refuseSimple(request: FastifyRequest): void {
    const isWithCookie =
      request.headers.authorization === undefined && guards.hasSessionCookie(request);
    if (
      request.method === 'POST' ||
      !isWithCookie ||
      request.headers[preflightHeader] !== undefined ||
      guards.isOwnOrigin(request)
    )
      return;
    throw graphqlErrors.preflight_required();
  }

  return (request: FastifyRequest, reply: FastifyReply): Access => {
    const asked = new Map<string, Promise<Principal>>();
    let turn: Promise<unknown> = Promise.resolve();

    async function pass(name: keyof typeof scopes): Promise<Principal> {
      refuseSimple(request);
      for (const guard of scopes[name]) await guard(request, reply);
      if (request.principal === undefined) throw requestErrors.unauthenticated();
      return request.principal;
    }

    /** One after the other: guards write what they find on the request. */
    function ask(name: keyof typeof scopes): Promise<Principal> {
      const before = asked.get(name);
      if (before !== undefined) return before;
      const answer = turn.then(() => pass(name));
      turn = answer.catch(() => undefined);
      asked.set(name, answer);
      return answer;
    }

    return {
      admin: () => ask('admin'),
      reader: () => ask('reader'),
      async session() {
        await ask('session');
        return guards.sessionOf(request);
      },
      async seesHealth() {
        const looked = turn.then(() => {
          refuseSimple(request);
          return guards.peek(request);
        });
        turn = looked.catch(() => undefined);
        return hasScope(await looked.catch(() => undefined), 'admin');
      },
      deviceId: async () => (await deviceGuards.recognise(request, reply))?.device.id,
    };
  };
}
