import { escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import { cards, type PublicPage } from './page-parts.tsx';

/** A guide in the list of guides. */
export interface GuideEntry {
  slug: string;
  title: string;
  description: string;
}

const entries = [
  {
    href: '/install',
    title: 'Install',
    text: 'Snippets to copy, with the address of this server filled in.',
  },
  {
    href: '/developer/',
    title: 'Developer pages',
    text: 'All guides, with a search over them, and the list of errors.',
  },
  {
    href: '/developer/reference',
    title: 'API reference',
    text: 'Every call with its fields, its errors and an example.',
  },
];

const addresses = [
  [
    '/api/openapi.json',
    'OpenAPI 3.1',
    'The description of the REST API, for programs that make clients of it.',
  ],
  ['/api/docs', 'Swagger UI', 'The same to try out.'],
  [
    '/api/graphql/',
    'GraphQL',
    'Queries, mutations and subscriptions over the same data. A browser gets an editor.',
  ],
  ['/api/graphql/voyager/', 'GraphQL schema', 'A map of the types, and a table of them.'],
  ['/realtime/asyncapi.json', 'AsyncAPI 3', 'The channels and messages of the three WebSockets.'],
  [
    '/api/status',
    'Status',
    'The state of the service in the form of Statuspage; for people it is at /status.',
  ],
  ['/api/health', 'Health', 'Probes for load balancers and monitors.'],
] as const;

/** The overview of all documentation. */
export function docsPage(
  { appName, baseUrl }: SiteFacts,
  guides: readonly GuideEntry[],
): PublicPage {
  return {
    path: '/docs',
    title: 'Documentation',
    description: `Guides, the API reference, and the descriptions of ${appName} for programs.`,
    isWide: true,
    heading: (
      <>
        <h1>Documentation</h1>
        <p class="lead">Begin with a guide; look things up in the reference.</p>
      </>
    ),
    body: (
      <>
        <section aria-labelledby="begin">
          <h2 id="begin">Begin here</h2>
          {cards(entries)}
        </section>
        {guides.length === 0 ? undefined : (
          <section aria-labelledby="guides">
            <h2 id="guides">Guides</h2>
            <ul class="entries">
              {guides.map(({ slug, title, description }) => (
                <li>
                  <a href={`/developer/guides/${slug}`} safe>
                    {title}
                  </a>
                  <p safe>{description}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section aria-labelledby="programs">
          <h2 id="programs">For programs</h2>
          <ul class="entries">
            {addresses.map(([href, title, text]) => (
              <li>
                <a href={href} safe>
                  {title}
                </a>
                <p safe>{text}</p>
              </li>
            ))}
            <li>
              <strong>Model Context Protocol</strong>
              <p>
                Tools for language models at <code>{escapeHtml(baseUrl)}/api/v2/mcp/</code>, with an
                API key or an access token.
              </p>
            </li>
          </ul>
        </section>
      </>
    ),
  };
}
