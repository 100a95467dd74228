import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { attachment } from '../../lib/net/header-text.ts';
import type { AppError } from '../../platform/errors/errors.ts';
import type { HttpCall } from '../../platform/operations/call.ts';
import { Toast } from '../../platform/ui/components/feedback.tsx';
import { sendPage } from '../../platform/ui/pages.tsx';
import type { ConsoleContext } from './context.ts';
import type { ConsoleLayout, ConsolePage } from './layout.tsx';
import { FormError, FormValues, problemsText } from './forms.ts';
import { fieldLabels, refilled } from './refill.ts';
import { menuMarks } from './menu-marks.ts';
import type { Viewer } from './viewer.ts';
import type { WaitingCounts } from './waiting.ts';
import { withQuery } from './components/navigation.tsx';
import { texts } from './texts/en.ts';
import type { SearchTerms } from './search/search-terms.ts';

/** Options of all routes of the console. */
export interface ConsoleRoutesOptions extends ConsoleContext {
  searchTerms: SearchTerms;
  /** What waits for an admin. */
  waiting: WaitingCounts;
  /** Returns the user of a request that has passed the console's guards. */
  viewerOf: (request: FastifyRequest) => Viewer;
  send: (reply: FastifyReply, page: ConsolePage) => FastifyReply;
  /** Sends the page of a refused form again, with what was filled in and what is wrong with it. */
  sendAgain: (error: AppError, reply: FastifyReply, page: ConsolePage) => FastifyReply;
  /** All routes: forms find the page that they are on. */
  routes: readonly ConsoleRoute[];
}

/** The scope that routes are added to, with their zod schemas as types. */
type ConsoleScope = Parameters<FastifyPluginAsyncZod>[0];

/** A page or a form of the console. */
export interface ConsoleRoute {
  path: string;
  /** Adds it to a scope. */
  add: (app: ConsoleScope, context: ConsoleRoutesOptions) => void;
  /** Reads the page at a URL. Undefined if another route answers there. */
  pageAt?: (
    url: URL,
    context: ConsoleRoutesOptions,
    call: HttpCall,
  ) => Promise<ConsolePage | undefined>;
}

/** Creates the functions that routes use to send pages of the console. */
export function createResponses(
  { clock, guards, devices, status, waiting }: ConsoleContext & { waiting: WaitingCounts },
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
  function render(page: ConsolePage, request: FastifyRequest): string {
    const viewer = viewerOf(request);
    const counts = viewer.isAdmin ? waiting.latest() : undefined;
    const html = layout(page, viewer, menuMarks(counts, status.state().indicator));
    return page.filled === undefined ? html : refilled(html, page.filled);
  }
  const renderAgain = (page: ConsolePage, request: FastifyRequest) =>
    request.savedForm === undefined
      ? render(page, request)
      : refilled(render(page, request), { ...request.savedForm, notice: texts.forms.kept });
  return {
    viewerOf,
    send: (reply, page) => sendPage(reply, renderAgain(page, reply.request)),
    sendAgain(error, reply, page) {
      const { request } = reply;
      const action = request.url.split('?', 1).join();
      const values = FormValues.safeParse(request.body).data ?? {};
      const problems = error instanceof FormError ? error.problems : undefined;
      const text =
        problems === undefined || problems.size === 0
          ? (error.pageText ?? error.message)
          : problemsText(problems, fieldLabels(render(page, request), action));
      const notice = Toast({ text, tone: 'bad' });
      const html = render({ ...page, isError: true, notice }, request);
      return sendPage(reply.code(error.status), refilled(html, { action, values, problems }));
    },
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
