import { namesType, preferredType } from '../../lib/net/accept.ts';
import type { GuideLibrary } from './guide-library.ts';
import type { Guide } from './library.ts';
import { guidePath } from './navigation.tsx';
import { texts } from './texts/en/pages.ts';

export interface Site {
  appName: string;
  /** Without a trailing slash. */
  baseUrl: string;
}

function groupList(library: GuideLibrary, baseUrl: string): string {
  const entry = ({ slug, title, description }: Guide) =>
    `- [${title}](${baseUrl}${guidePath(slug)}.md): ${description}`;
  return library
    .groups()
    .map(({ title, guides }) => `## ${title}\n\n${guides.map(entry).join('\n')}`)
    .join('\n\n');
}

/** The list of guides, as Markdown. */
export const guidesText = (library: GuideLibrary, { baseUrl }: Pick<Site, 'baseUrl'>): string =>
  `# ${texts.guideList.title}\n\n${groupList(library, baseUrl)}\n`;

/** The list of guides for language models (llmstxt.org). */
export function llmsText(library: GuideLibrary, { appName, baseUrl }: Site): string {
  const { llms } = texts;
  const references = [
    { path: '/api/openapi.json', ...llms.openApi },
    { path: '/developer/reference', ...llms.pages },
    { path: '/developer/errors', ...llms.errors },
    { path: '/developer/changelog/feed.atom', ...llms.changelog },
    { path: '/developer/llms-full.txt', ...llms.full },
  ].map(({ title, path, text }) => `- [${title}](${baseUrl}${path}): ${text}`);
  return `# ${appName}

> ${llms.about}

${groupList(library, baseUrl)}

## ${llms.reference}

${references.join('\n')}
`;
}

/** The text of all guides. */
export function llmsFullText(library: GuideLibrary, { baseUrl }: Site): string {
  return library
    .guides()
    .map(({ slug, markdown }) => `Source: ${baseUrl}${guidePath(slug)}\n\n${markdown.trim()}\n`)
    .join('\n---\n\n');
}

/** True when Accept (RFC 9110 §12.5.1) prefers Markdown to HTML. Of equals, the first counts. */
export const prefersMarkdown = (accept: string | undefined): boolean =>
  namesType(accept, 'text/markdown') &&
  preferredType(accept, ['text/html', 'application/xhtml+xml', 'text/markdown']) ===
    'text/markdown';
