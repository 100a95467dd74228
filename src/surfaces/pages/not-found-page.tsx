import type { Problem } from '../../platform/errors/errors.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { errorPage } from '../../platform/ui/error-pages.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { texts } from './texts/en/site.ts';

const { notFound, errors } = texts;

const links = [
  { href: '/', text: notFound.home },
  { href: '/developer/', text: notFound.docs },
  { href: '/status', text: notFound.status },
];

/** The page for unknown URLs. */
const notFoundPage: SitePage = {
  title: notFound.title,
  isError: true,
  heading: <h1 safe>{notFound.heading}</h1>,
  body: (
    <>
      <p class="lead" safe>
        {notFound.lead}
      </p>
      <p class="actions">
        {links.map(({ href, text }, at) => (
          <Button label={text} href={href} kind={at === 0 ? 'primary' : 'secondary'} />
        ))}
      </p>
    </>
  ),
};

/** The page for requests that no page handles: unknown URLs, and those of the API. */
export const strayPage = (problem: Problem): SitePage =>
  problem.status === 404
    ? notFoundPage
    : errorPage(
        { problem },
        {
          back: { href: '/', text: errors.goHome },
          sentences: { 'request.method_not_allowed': errors.notAPage },
        },
      );
