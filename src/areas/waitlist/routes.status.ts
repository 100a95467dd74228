import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../platform/errors/errors.ts';
import {
  allowScript,
  configurePageScope,
  redirectResponse,
  sendFormAgain,
} from '../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../platform/ui/pages.tsx';
import { HtmlPage } from '../../platform/ui/public-forms.ts';
import { TokenBody, TokenQuery } from '../../platform/ui/token-pages.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { WaitlistContext } from './compose.ts';
import { statusCookie } from './cookie.ts';
import { bodyLimit, limits } from './limits.ts';
import { openPage, statusPage, verifyPage } from './pages.tsx';
import type { OwnEntryView } from './schemas.ts';
import { texts } from './texts/en.ts';

export interface StatusPagesOptions extends Pick<WaitlistContext, 'waitlist'> {
  visitorLayout: Layout;
  baseOrigin: string;
}

const tags = ['waitlist'];

const statusPath = '/waitlist/status';
const PastedBody = z.object({
  token: z
    .string()
    .max(600)
    .default('')
    .describe('The token, or the link that ends with it.')
    .meta({ examples: ['k3Jx9Qw2LmT7'] }),
});

const unknownToken = () =>
  new RequestValidationError([
    valueError(
      ['body', 'token'],
      'must be the token or the link from an email to a person on the list',
    ),
  ]);

/** The token of a pasted link: what follows the `#`. */
const tokenIn = (pasted: string): string => pasted.trim().replace(/^.*#/, '');

/** The entry of a token; undefined when nobody on the list has it. */
async function entryOf(
  waitlist: WaitlistContext['waitlist'],
  token: string,
): Promise<OwnEntryView | undefined> {
  try {
    return await waitlist.me(token);
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined;
    throw error;
  }
}

/** The verification of an address, and the page with a person's place. */
export const statusPages: FastifyPluginAsyncZod<StatusPagesOptions> = async (
  app,
  { waitlist, visitorLayout, baseOrigin },
) => {
  configurePageScope(app, {
    layout: visitorLayout,
    back: { href: '/waitlist', text: texts.join.back },
    errorPages: 'for browsers',
  });
  const cookie = statusCookie(baseOrigin.startsWith('https:'));
  addVerification();
  addStatus();

  function addVerification(): void {
    app.get(
      '/waitlist/verify',
      {
        config: limits.verify,
        schema: {
          operationId: 'waitlist.verify_page',
          summary: 'Address verification page',
          description: 'Has a button, so that link scanners can’t verify the address.',
          tags: ['pages', ...tags],
          querystring: TokenQuery,
          response: { 200: HtmlPage },
        },
      },
      async (request, reply) => sendPage(reply, visitorLayout(verifyPage(request.query.token))),
    );

    app.post(
      '/waitlist/verify',
      {
        bodyLimit,
        config: limits.verify,
        schema: {
          operationId: 'waitlist.verify_by_form',
          summary: 'Form: verify an email address',
          description:
            'Sets a cookie with the person’s token, and redirects to the page with their position.',
          tags,
          consumes: ['application/x-www-form-urlencoded', 'application/json'],
          body: TokenBody,
          errors: ['waitlist.link_invalid'],
          response: redirectResponse('Verified.'),
        },
      },
      async (request, reply) => {
        const { token } = await waitlist.verify(request.body.token, {
          address: request.ip,
          browserToken: cookie.read(request.headers.cookie),
        });
        return reply.header('set-cookie', cookie.set(token)).redirect(statusPath, 303);
      },
    );
  }

  function addStatus(): void {
    app.get(
      '/waitlist/status',
      {
        config: limits.read,
        schema: {
          operationId: 'waitlist.status_page',
          summary: 'Your waitlist position page',
          description:
            'The position of the person whose token is in the cookie. Links in emails have the ' +
            'token in the fragment, which browsers never send.',
          tags: ['pages', ...tags],
          response: { 200: HtmlPage },
        },
      },
      async (request, reply) => {
        const token = cookie.read(request.headers.cookie);
        const entry = token === undefined ? undefined : await entryOf(waitlist, token);
        const shown = entry === undefined ? openPage(false) : statusPage(entry);
        return sendPage(allowScript(reply), visitorLayout(shown));
      },
    );

    app.post(
      '/waitlist/status',
      {
        bodyLimit,
        config: limits.verify,
        schema: {
          operationId: 'waitlist.open_status',
          summary: 'Form: open your position on the waitlist',
          description:
            'Stores the token from a link in a cookie, and redirects to your waitlist position.',
          tags,
          consumes: ['application/x-www-form-urlencoded', 'application/json'],
          body: PastedBody,
          response: redirectResponse('The token is valid.'),
        },
      },
      async (request, reply) => {
        const token = tokenIn(request.body.token);
        const entry = await entryOf(waitlist, token);
        if (entry === undefined)
          return sendFormAgain(unknownToken(), request, allowScript(reply), () =>
            visitorLayout(openPage(true)),
          );
        return reply.header('set-cookie', cookie.set(token)).redirect(statusPath, 303);
      },
    );
  }
};
