import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { Tool } from '../catalogue.ts';

/** A red pixel, and the shortest sound. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (words: string): CallToolResult => ({
  content: [{ type: 'text', text: words }],
});

/** A tool that everybody may call, with texts as arguments. */
export function fixture(name: string, call: Tool['call'], required: readonly string[] = []): Tool {
  const properties = Object.fromEntries(required.map((each) => [each, { type: 'string' }]));
  return {
    scope: undefined,
    definition: {
      name,
      description: `Fixture of the conformance suite: ${name}.`,
      inputSchema: { type: 'object', properties, required: [...required] },
    },
    call,
  };
}

const embedded = (uri: string, mimeType: string, words: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});
const image: ContentBlock = { type: 'image', data: pixel, mimeType: 'image/png' };
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

/** Tools that answer with every kind of content, and on the way. */
export function contentTools(): Tool[] {
  const always = (name: string, ...content: ContentBlock[]) =>
    fixture(name, () => Promise.resolve({ content }));
  return [
    always('test_simple_text', {
      type: 'text',
      text: 'This is a simple text response for testing.',
    }),
    always('test_image_content', image),
    always('test_audio_content', { type: 'audio', data: silence, mimeType: 'audio/wav' }),
    always(
      'test_embedded_resource',
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ),
    always(
      'test_multiple_content_types',
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
    fixture('test_error_handling', () =>
      Promise.resolve({
        ...text('This tool intentionally returns an error for testing'),
        isError: true,
      }),
    ),
    fixture('test_tool_with_progress', async (_args, { context: { mcpReq } }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
        if (progress < 100) await pause();
      }
      return text('Done, with progress.');
    }),
    ...['test_tool_with_logging', 'test_logging_tool'].map((name) =>
      fixture(name, async (_args, { context: { mcpReq } }) => {
        for (const words of [
          'Tool execution started',
          'Tool processing data',
          'Tool execution completed',
        ]) {
          // oxlint-disable-next-line typescript/no-deprecated -- the suite asks for it as long as the protocol has it
          await mcpReq.log('info', words);
          await pause();
        }
        return text('Done, with log messages.');
      }),
    ),
  ];
}
