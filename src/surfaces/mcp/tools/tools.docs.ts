import { z } from 'zod';
import type { Library } from '../../developer/library.ts';
import { mcpErrors } from '../errors.ts';
import type { McpServices } from '../context.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const slug = z
  .string()
  .regex(/^[a-z0-9-]{1,80}$/, 'must be lower-case letters, digits and dashes')
  .describe('From search_docs.');

function guideNotFound(library: Library) {
  const slugs = library.guides().map((guide) => guide.slug);
  return mcpErrors.guide_not_found({
    detail: `There is no guide with this name. Available guides: ${slugs.join(', ')}.`,
  });
}

const searchDocs = (library: Library): CreateTool =>
  defineTool({
    name: 'search_docs',
    title: 'Search the guides',
    annotations: readOnly,
    description:
      'Searches the developer guides of this service. For the full text of a guide, ' +
      'use get_guide.',
    input: z.strictObject({
      query: z.string().trim().min(1).max(200),
      limit: z.int().min(1).max(20).default(5),
    }),
    output: z.object({
      results: z.array(
        z.object({
          slug: z.string(),
          title: z.string(),
          heading: z.string().nullable(),
          excerpt: z.string(),
          uri: z.string(),
        }),
      ),
    }),
    run: ({ query, limit }) => ({
      results: library.search(query, limit).map(({ slug: name, title, heading, excerpt }) => ({
        slug: name,
        title,
        heading: heading?.text ?? null,
        excerpt,
        uri: `docs://guides/${name}`,
      })),
    }),
  });

const getGuide = (library: Library): CreateTool =>
  defineTool({
    name: 'get_guide',
    title: 'Read a guide',
    annotations: readOnly,
    nextSteps: { 'mcp.guide_not_found': 'Call search_docs to find the right guide.' },
    description: 'Returns the full text of a developer guide as Markdown, with runnable examples.',
    input: z.strictObject({ slug }),
    output: z.object({ slug: z.string(), title: z.string(), markdown: z.string() }),
    run({ slug: name }) {
      const guide = library.find(name);
      if (guide === undefined) throw guideNotFound(library);
      return { slug: guide.slug, title: guide.title, markdown: guide.markdown };
    },
  });

/** The developer guides. */
export const docsTools = ({ library }: McpServices): CreateTool[] => [
  searchDocs(library),
  getGuide(library),
];
