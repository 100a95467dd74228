import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { originOf, type RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import type { BrandReader } from '../../platform/brand/brand.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { type Layout, type Page, sendPage } from '../../platform/ui/pages.tsx';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Session } from '../../areas/identity/sessions/service.ts';
import type { AccountService } from './account.ts';
import type { AccountNeeds } from './compose.ts';
import { donePath } from './done-notices.tsx';
import { formSchema, pageSchema } from './schemas.ts';

/** What the pages of your own account are made from. */
export interface AccountContext extends Pick<AccountNeeds, 'ownAccount' | 'factorResets'> {
  account: AccountService;
  guards: Pick<Guards, 'sessionOf'>;
  layout: Layout;
  brand: BrandReader;
  clock: Clock;
  /** The Set-Cookie headers that delete the session cookies. */
  clearedCookies: string[];
}

/** A request of a signed-in user. */
export interface Visit<Body = unknown> {
  session: Session;
  from: RequestOrigin;
  body: Body;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Answers with a page. */
  send: (page: Page, status?: number) => FastifyReply;
}

/** Adds the route of a page or form. */
export type AccountRoute = (app: ZodApp, context: AccountContext) => void;

interface RouteFacts {
  path: `/account/${string}`;
  /** The operation id. */
  id: string;
  summary: string;
  /** Another limit than that of all pages. */
  limit?: { rateLimit: object };
}

interface PageSpec extends RouteFacts {
  /** What it shows, for the API reference. */
  contents: string;
  show: (context: AccountContext, visit: Visit) => Page | Promise<Page>;
}

type Schema = z.ZodType | undefined;
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : unknown;

interface FormSpec<B extends Schema> extends RouteFacts {
  body?: B;
  /** Maximum bytes of the form. */
  bodyLimit?: number;
  /** Does it. Without `done` it answers, too. */
  run: (context: AccountContext, visit: Visit<Output<B>>) => unknown;
  /** The notice on the page of the account to which the form leads. */
  done?: string;
}

/** Returns who asks, from where, and what answers. */
export function visitOf(
  { guards, clock, layout }: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Visit {
  return {
    session: guards.sessionOf(request),
    from: originOf(request, clock.now()),
    body: request.body,
    request,
    reply,
    send: (page, status = 200) => sendPage(reply.code(status), layout(page)),
  };
}

/** Redirects to the page of the account that shows the notice of this name. */
export const redirectDone = (reply: FastifyReply, name: string): FastifyReply =>
  reply.redirect(donePath(name), 303);

/** A page of your own account. */
export const page =
  ({ path, id, summary, contents, show }: PageSpec): AccountRoute =>
  (app, context) => {
    app.get(path, { schema: pageSchema(id, summary, contents) }, async (request, reply) => {
      const visit = visitOf(context, request, reply);
      return visit.send(await show(context, visit));
    });
  };

/** A form of your own account, which leads back to it. */
export function form<B extends Schema = undefined>(spec: FormSpec<B>): AccountRoute;
export function form(spec: FormSpec<z.ZodType>): AccountRoute {
  const { path, id, summary, limit, body, bodyLimit, run, done } = spec;
  const schema = { ...formSchema(id, summary), ...(body && { body }) };
  const options = { schema, ...(limit && { config: limit }), ...(bodyLimit && { bodyLimit }) };
  return (app, context) => {
    app.post(path, options, async (request, reply) => {
      const answer = run(context, visitOf(context, request, reply));
      if (done === undefined) return answer;
      await answer;
      return redirectDone(reply, done);
    });
  };
}
