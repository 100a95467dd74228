import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../lib/access.ts';
import type { Html } from '../../lib/text/html.ts';
import type { Problem } from '../errors/errors.ts';
import { failureOf, type ProblemResponse, sendError } from '../http/error-handler.ts';
import { dropUnwritable } from '../http/header-values.ts';
import { isNavigation } from '../http/requests/request-origin.ts';
import { pagePolicy } from '../http/security.ts';
import { forbiddenPage, type Link } from './forbidden-page.tsx';
import { formatWait } from '../i18n/durations.ts';
import { type Layout, type Page, sendPage } from './pages.tsx';
import { texts } from './texts/en.ts';

export interface ErrorPageOptions {
  /** The link of an error page. Undefined where there is no page to go to. */
  back: Link | undefined;
  /** True when a user with these roles may open `back`. Default: never. */
  mayGoBack?: (roles: readonly Role[]) => boolean;
  /** The address to ask for a role. Default: an unnamed admin of this service. */
  contactEmail?: (() => string | undefined) | undefined;
  /** Texts that replace the `detail` of a problem, by its code; markup is made from the problem. */
  sentences?: Readonly<Partial<Record<string, string | ((problem: Problem) => Html | undefined)>>>;
  /** Headings that replace those of the status, by the code of the problem. */
  headings?: Readonly<Partial<Record<string, string>>>;
}

const { errors, errorTitles } = texts;

const titles: Partial<Record<number, string>> = {
  401: errorTitles.signIn,
  403: errorTitles.forbidden,
  404: errorTitles.notFound,
  405: errorTitles.notAPage,
  409: errorTitles.conflict,
  410: errorTitles.gone,
  413: errorTitles.tooLarge,
  422: errorTitles.badForm,
  429: errorTitles.tooMany,
  503: errorTitles.unavailable,
};

/** Texts for people, in place of the `detail` for programs. */
const generalSentences: Partial<Record<string, string>> = {
  internal: errors.internal,
  'request.validation': errors.badForm,
  'request.unavailable': errors.unavailable,
  'request.not_found': errors.notFound,
  'request.method_not_allowed': errors.notAPage,
  'request.too_large': errors.tooLarge,
  'request.unsupported_media_type': errors.unreadable,
  'request.invalid': errors.unreadable,
  'request.unauthenticated': errors.signInFirst,
  'request.forbidden': errors.forbidden,
};

type Failure = Pick<ProblemResponse, 'problem' | 'pageText' | 'pageTitle'>;

function sentence(
  { problem, pageText }: Failure,
  sentences: NonNullable<ErrorPageOptions['sentences']>,
): Html {
  const { code, status, detail, retry_after: seconds } = problem;
  const own = sentences[code];
  const html = typeof own === 'function' ? own(problem) : undefined;
  if (html !== undefined) return <p>{html}</p>;
  if (status === 429 && typeof seconds === 'number')
    return <p safe>{errors.wait({ wait: formatWait(seconds) })}</p>;
  return (
    <p safe>
      {pageText ?? (typeof own === 'string' ? own : undefined) ?? generalSentences[code] ?? detail}
    </p>
  );
}

/** Returns the page for a problem. */
export function errorPage(
  failure: Failure,
  {
    back,
    sentences = {},
    headings = {},
  }: Pick<ErrorPageOptions, 'back' | 'sentences' | 'headings'>,
): Page {
  const { status, code } = failure.problem;
  const other = status >= 500 ? errorTitles.failed : errorTitles.refused;
  return {
    title: failure.pageTitle ?? headings[code] ?? titles[status] ?? other,
    isError: true,
    body: (
      <>
        {sentence(failure, sentences)}
        {back && (
          <p>
            <a href={back.href} safe>
              {back.text}
            </a>
          </p>
        )}
      </>
    ),
  };
}

/** Like `errorPage`, but shows users who lack a role the pages that they may open. */
export function errorPageFor(
  { principal }: FastifyRequest,
  failure: Failure,
  options: ErrorPageOptions,
): Page {
  if (failure.problem.code !== 'request.forbidden' || principal?.kind !== 'user')
    return errorPage(failure, options);
  const { back, mayGoBack, contactEmail } = options;
  const open = mayGoBack?.(principal.roles) === true ? back : undefined;
  return forbiddenPage({ open, contactEmail: contactEmail?.() });
}

export interface NavigationOptions {
  layout: Layout;
  back: Link;
  /** Returns the path of a page that explains a problem better than an error page. */
  placeOf: (problem: Problem) => string | undefined;
}

/** Returns the error handler of a route for both browsers and API clients: a page or JSON. */
export function navigationErrors({ layout, back, placeOf }: NavigationOptions) {
  function sendErrorPage(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const failure = failureOf(error, request);
    const place = placeOf(failure.problem);
    if (place !== undefined) return reply.redirect(place, 303);
    void reply.code(failure.problem.status).headers({
      ...failure.headers,
      'content-security-policy': pagePolicy,
      'referrer-policy': 'same-origin',
    });
    return sendPage(reply, layout(errorPage(failure, { back })));
  }
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    dropUnwritable(error, request, reply);
    void (isNavigation(request, reply) ? sendErrorPage : sendError)(error, request, reply);
  };
}
