import { defineErrors } from '../../platform/errors/errors.ts';

export const mcpErrors = defineErrors('mcp', {
  bad_host: [
    403,
    'The Host header names neither this service nor an address. A proxy in front has to pass on ' +
      'the host that was asked for.',
  ],
  bad_origin: [403, 'Pages of other sites can not call this path.'],
  too_many_streams: [429, 'You have 20 streams open already. End one of them first.'],
  guide_not_found: [404, 'There is no guide of this name.'],
});
