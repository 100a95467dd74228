import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { Library } from '../developer/library.ts';
import { minuteMs } from '../../lib/durations.ts';
import type { Resource, ResourceTemplate } from './catalogue.ts';
import type { McpServices } from './context.ts';

export const statusUri = 'status://summary';
const guidePrefix = 'docs://guides/';

/** Creates a result with a public text that clients may cache for `ttlMs`. */
function textOf(uri: string, mimeType: string, text: string, ttlMs: number): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }], ttlMs, cacheScope: 'public' };
}

function guideAt(library: Library, uri: string): ReadResourceResult | undefined {
  const guide = uri.startsWith(guidePrefix)
    ? library.find(uri.slice(guidePrefix.length))
    : undefined;
  return guide === undefined
    ? undefined
    : textOf(uri, 'text/markdown', guide.markdown, 60 * minuteMs);
}

/** Creates the resources: the status, the OpenAPI document and the guides. */
export function createResources({ library, openApi, status }: McpServices): Resource[] {
  const guides = library.guides().map(({ slug, title, description, markdown }): Resource => {
    const uri = `${guidePrefix}${slug}`;
    return {
      definition: {
        uri,
        name: slug,
        title,
        description,
        mimeType: 'text/markdown',
        size: Buffer.byteLength(markdown),
      },
      read: () => textOf(uri, 'text/markdown', markdown, 60 * minuteMs),
    };
  });
  const json = 'application/json';
  return [
    {
      definition: {
        uri: statusUri,
        name: 'status',
        title: 'Status of the service',
        description: 'Summary of the status page in the Statuspage format. Supports subscriptions.',
        mimeType: json,
      },
      read: () => textOf(statusUri, json, JSON.stringify(status.summary()), 10_000),
    },
    {
      definition: {
        uri: 'openapi://document',
        name: 'openapi',
        title: 'OpenAPI document',
        description: 'All HTTP operations of this service (OpenAPI 3.1).',
        mimeType: json,
      },
      read: async () => textOf('openapi://document', json, await openApi(), 60 * minuteMs),
    },
    ...guides,
  ];
}

/** Creates the template of the guides, by slug. */
export function createResourceTemplates(library: Library): ResourceTemplate[] {
  const definition = {
    uriTemplate: `${guidePrefix}{slug}`,
    name: 'guide',
    title: 'Developer guide',
    description: 'A developer guide as Markdown. Find names with search_docs.',
    mimeType: 'text/markdown',
  };
  return [{ definition, read: (uri) => guideAt(library, uri) }];
}
