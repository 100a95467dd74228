import type { BrandReader } from '../../platform/brand/brand.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import { hasSlash, mcpPath, metadataPath, protectedResource } from './metadata.ts';
import { ProtectedResourceMetadata } from './schemas.ts';

/** The metadata that MCP clients read before they authenticate (RFC 9728). */
export const mcpMetadataRoutes: FastifyPluginAsyncZod<{
  baseUrl: string;
  brand: BrandReader;
}> = async (app, { baseUrl, brand }) => {
  allowCrossOrigin(app);
  for (const [path, operationId] of [
    [metadataPath, 'mcp.metadata'],
    [`${metadataPath}${mcpPath}`, 'mcp.own_metadata'],
  ] as const) {
    app.get(
      path,
      {
        schema: {
          operationId,
          summary: 'Get the protected resource metadata',
          description: 'RFC 9728. `resource` ends with a slash if the path does.',
          tags: ['mcp'],
          response: { 200: ProtectedResourceMetadata },
        },
      },
      async ({ url }, reply) => {
        void reply.header('cache-control', 'public, max-age=3600');
        return protectedResource(baseUrl, brand().name, path !== metadataPath && hasSlash(url));
      },
    );
  }
};
