import type { Problem } from '../../platform/errors/errors.ts';
import { errorPage } from '../../platform/ui/error-pages.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';

/** The page for unknown URLs. */
const notFoundPage: SitePage = {
  title: 'Page not found',
  isError: true,
  heading: <h1>There is no page at this address</h1>,
  body: (
    <>
      <p class="lead">It may have been mistyped, or the page has moved.</p>
      <ul>
        <li>
          <a href="/">First page</a>
        </li>
        <li>
          <a href="/docs">Documentation</a>
        </li>
        <li>
          <a href="/status">Status of the service</a>
        </li>
      </ul>
    </>
  ),
};

const sentences = {
  'request.method_not_allowed':
    'There is something at this address, but it is not a page that a browser can open or send ' +
    'a form to.',
};

/** The page for requests that no page handles: unknown URLs, and those of the API. */
export const strayPage = (problem: Problem): SitePage =>
  problem.status === 404
    ? notFoundPage
    : errorPage({ problem }, { back: { href: '/', text: 'Go to the start page' }, sentences });
