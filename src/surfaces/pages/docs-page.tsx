import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { inlineCode } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import { type Card, cards, headed, type PublicPage, section } from './page-parts.tsx';
import { texts } from './texts/en/docs.ts';

/** A guide in the list of guides. */
export interface GuideEntry {
  slug: string;
  title: string;
  description: string;
}

const { start, programs } = texts;

const entries: readonly Card[] = [
  { href: '/install', icon: 'download', ...start.install },
  { href: '/developer/', icon: 'book', ...start.developers },
  { href: '/developer/reference', icon: 'code', ...start.reference },
];

const addresses = [
  { href: '/api/openapi.json', ...programs.openApi },
  { href: '/api/docs', ...programs.swagger },
  { href: '/api/graphql/', ...programs.graphql },
  { href: '/api/graphql/voyager/', ...programs.voyager },
  { href: '/realtime/asyncapi.json', ...programs.asyncApi },
  { href: '/api/status', ...programs.status },
  { href: '/api/health', ...programs.health },
];

const entry = (href: string, title: string, text: string): Html => (
  <li>
    <a href={href} safe>
      {title}
    </a>
    <p safe>{text}</p>
  </li>
);

const guideList = (guides: readonly GuideEntry[]): Html => (
  <ul class="entries">
    {guides.map(({ slug, title, description }) =>
      entry(`/developer/guides/${slug}`, title, description),
    )}
  </ul>
);

const programList = (url: string): Html => (
  <ul class="entries">
    {addresses.map(({ href, title, text }) => entry(href, title, text))}
    <li>
      <strong safe>{programs.mcp.title}</strong>
      <p>{rich(programs.mcp.text({ url }), { code: inlineCode })}</p>
    </li>
  </ul>
);

/** The overview of all documentation. */
export function docsPage(
  { appName, baseUrl }: SiteFacts,
  guides: readonly GuideEntry[],
): PublicPage {
  return {
    path: '/docs',
    title: texts.title,
    description: texts.description({ appName }),
    isWide: true,
    heading: headed(texts.title, escapeHtml(texts.lead)),
    body: (
      <>
        {section({ id: 'begin', title: start.title, body: cards(entries) })}
        {guides.length > 0 &&
          section({ id: 'guides', title: texts.guides, body: guideList(guides) })}
        {section({
          id: 'programs',
          title: programs.title,
          body: programList(`${baseUrl}/api/v2/mcp/`),
        })}
      </>
    ),
  };
}
