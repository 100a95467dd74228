import { dataBlock, escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import { cards, code, type PublicPage } from './page-parts.tsx';
import { snippets } from './snippets.ts';

const parts = [
  {
    href: '/developer/guides/sign-in',
    title: 'Sign-in',
    text:
      'One-time codes by SMS and e-mail, your company’s identity provider, and sessions that ' +
      'people can see and end.',
  },
  {
    href: '/developer/guides/second-factor',
    title: 'Second factor',
    text: 'Authenticator apps, passkeys, and backup codes for the day the phone is lost.',
  },
  {
    href: '/developer/guides/device-security',
    title: 'Device security',
    text:
      'What admins do needs a device that somebody else has cleared. A stolen cookie is not ' +
      'enough.',
  },
  {
    href: '/developer/guides/analytics',
    title: 'Analytics',
    text: 'Page views and events by pixel, script or batch. No cookies, and no addresses on disk.',
  },
  {
    href: '/developer/guides/realtime',
    title: 'Realtime',
    text: 'Three WebSockets that tell what happens as it happens, and catch up after a break.',
  },
  {
    href: '/developer/guides/status-page',
    title: 'Status page',
    text:
      'Checks, incidents and maintenance, with feeds, badges and e-mail for whoever wants to ' +
      'know.',
  },
];

/** Structured data for search engines (schema.org). */
function homeData({ appName, baseUrl, legalName, contactEmail }: SiteFacts) {
  const publisher = {
    '@type': 'Organization',
    name: legalName,
    ...(contactEmail === undefined ? {} : { email: contactEmail }),
  };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: appName, url: `${baseUrl}/`, inLanguage: 'en', publisher },
      {
        '@type': 'SoftwareApplication',
        name: appName,
        url: `${baseUrl}/`,
        applicationCategory: 'DeveloperApplication',
        offers: { '@type': 'Offer', price: '0', priceCurrency: 'EUR' },
      },
    ],
  };
}

/** The home page. */
export function homePage(facts: SiteFacts): PublicPage {
  const { track } = snippets(facts.baseUrl);
  return {
    path: '/',
    title: 'What your product needs around it',
    description:
      `${facts.appName} signs people in, counts visits without cookies, tells everybody how ` +
      'things are, and passes on events as they happen.',
    isWide: true,
    head: dataBlock('application/ld+json', homeData(facts)),
    heading: (
      <>
        <h1>What your product needs around it, in one service</h1>
        <p class="lead">
          {escapeHtml(facts.appName)} signs people in, counts visits without cookies, tells
          everybody how things are, and passes on events as they happen. It is one process on a
          machine of your own.
        </p>
        <p class="actions">
          <a class="button" href="/install">
            Add it to a site
          </a>{' '}
          <a class="button second" href="/developer/">
            Read the guides
          </a>
        </p>
      </>
    ),
    body: (
      <>
        <section aria-labelledby="parts">
          <h2 id="parts">What it does</h2>
          {cards(parts)}
        </section>
        <div class="halves">
          <section aria-labelledby="try">
            <h2 id="try">Try it</h2>
            <p>One call, nothing to set up. This sends a first event:</p>
            {code(track, 'sh')}
            <p>
              The answer says what became of it. When it is 200, the event is on disk.{' '}
              <a href="/install">More ways to send events, and to sign people in</a>
            </p>
          </section>
          <section aria-labelledby="promises">
            <h2 id="promises">What you can count on</h2>
            <ul>
              <li>An event that was answered with 200 survives a crash, and is counted once.</li>
              <li>A stranger can’t use up the tries at your one-time code.</li>
              <li>
                A realtime client that was cut off gets every message it missed, or is told that it
                can’t.
              </li>
              <li>Everything has a limit, and every limit is written down.</li>
              <li>The examples in the guides are run by the tests.</li>
            </ul>
          </section>
        </div>
        <section aria-labelledby="programs">
          <h2 id="programs">For programs</h2>
          <p>
            There is a REST API with an <a href="/api/docs">OpenAPI description</a>, GraphQL at{' '}
            <code>/api/graphql/</code>, and tools for language models at <code>/api/v2/mcp/</code>{' '}
            (Model Context Protocol). The <a href="/docs">documentation</a> leads to all of them.
          </p>
        </section>
      </>
    ),
  };
}
