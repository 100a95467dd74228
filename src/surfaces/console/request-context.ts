import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { attachment } from '../../lib/net/header-text.ts';
import type { Role } from '../../lib/access.ts';
import { sendFormAgain } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import type { ConsoleContext, ConsoleServices } from './context.ts';
import type { ConsoleLayout, ConsolePage } from './layout.tsx';
import { refilled } from './refill.ts';
import { withQuery } from './components/navigation.tsx';
import { texts } from './texts/en.ts';
import type { SearchTerms } from './search/search-terms.ts';

/** What the console's script needs to prove the key of the device (DPoP, RFC 9449). */
interface ProofParameters {
  /** For the first proof. */
  nonce: string;
  /** Unix ms. The browser's clock may be wrong, and a proof is valid for a minute. */
  now: number;
}

/** The signed-in user who views a page. */
export interface Viewer {
  userId: string;
  /** Name, else email address, else phone number. */
  name: string;
  roles: readonly Role[];
  isAdmin: boolean;
  /** Undefined where the device has no key. */
  proof: ProofParameters | undefined;
}

/** Options of all routes of the console. */
export interface ConsoleRoutesOptions extends ConsoleContext, ConsoleServices {
  searchTerms: SearchTerms;
  /** Returns the user of a request that has passed the console's guards. */
  viewerOf: (request: FastifyRequest) => Viewer;
  send: (reply: FastifyReply, page: ConsolePage) => FastifyReply;
  /** Sends a refused form again with status 422. Programs get `error` instead. */
  sendAgain: (error: Error, reply: FastifyReply, page: ConsolePage) => FastifyReply;
}

/** The scope that routes are added to, with their zod schemas as types. */
export type ConsoleScope = Parameters<FastifyPluginAsyncZod>[0];

/** A page or a form: adds its route to a scope. */
export type ConsoleRoute = (app: ConsoleScope, context: ConsoleRoutesOptions) => void;

/** Creates the functions that routes use to send pages of the console. */
export function createResponses(
  { clock, services: { guards, devices } }: ConsoleContext,
  layout: ConsoleLayout,
): Pick<ConsoleRoutesOptions, 'viewerOf' | 'send' | 'sendAgain'> {
  function viewerOf(request: FastifyRequest): Viewer {
    const { userId, user } = guards.sessionOf(request);
    const hasKey = request.device?.jkt != null;
    return {
      userId,
      name: user.name ?? user.email ?? user.phone ?? texts.person.unnamed,
      roles: user.roles,
      isAdmin: user.roles.includes('admin'),
      proof: hasKey ? { nonce: devices.nonces.current(), now: clock.now() } : undefined,
    };
  }
  const render = (page: ConsolePage, request: FastifyRequest) => layout(page, viewerOf(request));
  const renderAgain = (page: ConsolePage, request: FastifyRequest) =>
    request.keptForm === undefined
      ? render(page, request)
      : refilled(render(page, request), request.keptForm, texts.forms.kept);
  return {
    viewerOf,
    send: (reply, page) => sendPage(reply, renderAgain(page, reply.request)),
    sendAgain: (error, reply, page) =>
      sendFormAgain(error, reply.request, reply, () => render(page, reply.request)),
  };
}

/** Redirects from a submitted form to a page: Post/Redirect/Get. */
export const redirectTo = (
  reply: FastifyReply,
  path: string,
  query: Parameters<typeof withQuery>[1] = {},
): FastifyReply => reply.redirect(withQuery(path, query), 303);

/** Makes browsers save the response under this name. */
export const asAttachment = (reply: FastifyReply, name: string): FastifyReply =>
  reply.header('content-disposition', attachment(name));
