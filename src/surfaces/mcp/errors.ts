import { defineErrors } from '../../platform/errors/errors.ts';

export const mcpErrors = defineErrors('mcp', {
  bad_host: [
    403,
    'The Host header names neither this service nor an IP address. Configure the proxy ' +
      'to pass on the original Host header.',
  ],
  bad_origin: [
    403,
    'Pages on other sites cannot call this path. Call it from your own server or an MCP ' +
      'client.',
  ],
  too_many_streams: [429, 'You have reached the limit of 20 open streams. Close one first.'],
  guide_not_found: [404, 'No guide has this name. Find guide names with search_docs.'],
});
