import type { FastifyContextConfig } from 'fastify';
import { z } from 'zod';
import { acceptOneClick } from '../http/one-click.ts';
import type { ZodApp } from '../http/zod-app.ts';
import type { Page } from './pages.tsx';
import { HtmlPage, jsonOrPage, type PublicForms } from './public-forms.ts';

interface Texts {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
}

interface TokenPages {
  path: string;
  config: FastifyContextConfig;
  /** The page that the link opens. It changes nothing: programs that check mails open links. */
  page: Texts & { show: (token: string) => Page };
  /** What the button of the page does, and programs by JSON. */
  action: Texts & {
    errors: string[];
    run: (token: string) => Promise<void>;
    /** The page for browsers, and the answer for programs. */
    done: Page;
    answer: object;
    output: z.ZodType;
  };
}

/** The token of a link. */
export const linkToken = z
  .string()
  .max(256)
  .default('')
  .meta({ examples: ['k3Jx9Qw2LmT7'] });
export const TokenQuery = z.object({ token: linkToken });
export const TokenBody = z.object({ token: linkToken.describe('Token from the link.') });
const OneClickBody = z.object({
  token: linkToken.describe('Token from the link. Can be sent in the query instead.'),
});

const bodyLimit = 16 * 1024;
const consumes = ['application/json', 'application/x-www-form-urlencoded'];

function addPage(app: ZodApp, { show }: PublicForms, { path, config, page }: TokenPages): void {
  const { show: pageOf, ...texts } = page;
  app.get(
    path,
    { config, schema: { ...texts, querystring: TokenQuery, response: { 200: HtmlPage } } },
    async (request, reply) => show(reply, pageOf(request.query.token)),
  );
}

/** Adds the page of a link in an email, and the action of its button. */
export function addTokenPages(app: ZodApp, forms: PublicForms, pages: TokenPages): void {
  const { path, config, action } = pages;
  const { run, done, answer, output, ...texts } = action;
  addPage(app, forms, pages);
  app.post(
    path,
    {
      bodyLimit,
      config,
      schema: { ...texts, consumes, body: TokenBody, response: { 200: jsonOrPage(output) } },
    },
    async (request, reply) => {
      await run(request.body.token);
      return forms.showOr(request, reply, done, answer);
    },
  );
}

/**
 * Like `addTokenPages`, for the link that ends a subscription: mail programs send any body to its
 * URL (RFC 8058). All POST routes that are added to this scope act on the `token` in their URL.
 */
export function addOneClickPages(app: ZodApp, forms: PublicForms, pages: TokenPages): void {
  const { path, config, action } = pages;
  const { run, done, answer, output, ...texts } = action;
  acceptOneClick(app);
  addPage(app, forms, pages);
  app.post(
    path,
    {
      config,
      schema: {
        ...texts,
        consumes,
        querystring: TokenQuery,
        body: OneClickBody.optional(),
        response: { 200: jsonOrPage(output) },
      },
    },
    async (request, reply) => {
      const given = request.body?.token ?? '';
      await run(given === '' ? request.query.token : given);
      return forms.showOr(request, reply, done, answer);
    },
  );
}
