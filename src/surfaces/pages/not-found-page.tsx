import type { Problem } from '../../platform/errors/errors.ts';
import { Field, Form } from '../../platform/ui/components/form.tsx';
import { errorPage } from '../../platform/ui/error-pages.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { texts } from './texts/en/site.ts';

const { notFound, errors } = texts;

const links = [
  { href: '/', ...notFound.links.home },
  { href: '/developer/', ...notFound.links.docs },
  { href: '/developer/reference', ...notFound.links.reference },
  { href: '/pricing', ...notFound.links.pricing },
  { href: '/status', ...notFound.links.status },
  { href: '/contact', ...notFound.links.contact },
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
      <Form
        action="/developer/"
        method="get"
        isInline
        submit={{ label: notFound.search, kind: 'primary' }}
        attributes={{ role: 'search' }}
      >
        <Field id="q" type="search" label={notFound.searchLabel} maxLength={200} />
      </Form>
      <h2 safe>{notFound.try}</h2>
      <ul class="entries">
        {links.map(({ href, title, text }) => (
          <li>
            <a href={href} safe>
              {title}
            </a>
            <p safe>{text}</p>
          </li>
        ))}
      </ul>
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
