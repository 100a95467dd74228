import { parse } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type HttpCall, httpCall } from '../../platform/operations/call.ts';
import type { ConsolePage } from './layout.tsx';
import type { ConsolePath } from './sections.ts';
import type { ConsoleRoute, ConsoleRoutesOptions } from './request-context.ts';
import { HtmlPage } from './schemas.ts';
import { tags } from './route-options.ts';
import { pageLimit } from './rate-limits.ts';
import { redirectResponse } from '../../platform/ui/page-scope.ts';

type Schema = z.ZodType | undefined;
export type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : unknown;

/** What is said of a page or a form. */
export interface RouteFacts<P extends Schema> {
  /** The operation id: `console.incident`. */
  id: `console.${string}`;
  path: ConsolePath;
  summary: string;
  /** The parameters of the path. */
  params?: P;
  /** Another limit than that of all pages or forms. */
  limit?: { rateLimit: object };
}

export interface PageSpec<P extends Schema, Q extends Schema> extends RouteFacts<P> {
  /** For the API reference, which leaves out pages without a description. */
  description?: string;
  query?: Q;
  /** Codes of the errors it throws itself. */
  errors?: string[];
  /** Its redirects, for the API reference, where they differ from those of other pages. */
  redirects?: object;
  /**
   * Reads what the page shows. `input` are the parameters of the path and the query in one object.
   * It may send `call.reply` itself and return it: a download, a redirect.
   */
  show: (
    context: ConsoleRoutesOptions,
    input: Output<P> & Output<Q>,
    call: HttpCall,
  ) => ConsolePage | FastifyReply | Promise<ConsolePage | FastifyReply>;
}

interface AnyPageSpec
  extends
    RouteFacts<z.ZodType>,
    Pick<PageSpec<never, never>, 'description' | 'errors' | 'redirects'> {
  query?: z.ZodType;
  // A method, so that a page of exact types is one of any input.
  // oxlint-disable-next-line typescript/method-signature-style
  show(
    context: ConsoleRoutesOptions,
    input: object,
    call: HttpCall,
  ): ConsolePage | FastifyReply | Promise<ConsolePage | FastifyReply>;
}

/** The redirects of most pages, for the API reference. */
const usualRedirects = redirectResponse(
  'Not signed in, or the device is not approved: redirect to the page for it.',
);

function optionsOf(spec: AnyPageSpec) {
  const { id, summary, description, params, query, errors, redirects = usualRedirects } = spec;
  const isListed = description !== undefined;
  return {
    config: spec.limit ?? pageLimit,
    schema: {
      operationId: id,
      summary,
      tags,
      ...(isListed ? { description } : { hide: true }),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(errors && { errors }),
      response: { 200: HtmlPage, ...(isListed && redirects) },
    },
  };
}

/** The input of a page at a URL. Undefined if the URL is of another page, or not valid. */
function inputAt({ path, params, query }: AnyPageSpec, { pathname, search }: URL) {
  const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  const found = pattern.exec(pathname);
  if (found === null) return undefined;
  const read = (schema: z.ZodType | undefined, values: unknown) =>
    schema === undefined ? { success: true, data: {} } : schema.safeParse(values);
  const [ofPath, ofQuery] = [read(params, found.groups), read(query, parse(search.slice(1)))];
  return ofPath.success && ofQuery.success
    ? Object.assign({}, ofQuery.data, ofPath.data)
    : undefined;
}

/** A reply is awaited like a promise, and gives undefined when it has been sent. */
const isPage = (shown: ConsolePage | FastifyReply | undefined): shown is ConsolePage =>
  shown !== undefined && 'body' in shown;

/** A page of the console: a GET route that reads and shows something. */
export function page<P extends Schema = undefined, Q extends Schema = undefined>(
  spec: PageSpec<P, Q>,
): ConsoleRoute;
export function page(spec: AnyPageSpec): ConsoleRoute {
  const { path } = spec;
  return {
    path,
    add(app, context) {
      app.get(path, optionsOf(spec), async (request: FastifyRequest, reply: FastifyReply) => {
        const input = Object.assign({}, request.query, request.params);
        // For the menu, while the page is read.
        const counts = context.viewerOf(request).isAdmin ? context.waiting.read() : undefined;
        const shown = await spec.show(context, input, httpCall(request, reply));
        await counts;
        return isPage(shown) ? context.send(reply, shown) : reply;
      });
    },
    async pageAt(url, context, call) {
      const input = inputAt(spec, url);
      if (input === undefined) return undefined;
      const shown = await spec.show(context, input, call);
      return isPage(shown) ? shown : undefined;
    },
  };
}
