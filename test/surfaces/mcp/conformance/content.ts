import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { Tool } from '../../../../src/surfaces/mcp/catalogue.ts';

/** A red pixel (PNG). */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5E' +
  'rkJggg==';
/** A minimal audio file (WAV). */
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const fixtureDescription = 'Fixture of the conformance suite.';

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Creates a tool without a scope whose arguments are strings. */
export function fixture(name: string, call: Tool['call'], required: readonly string[] = []): Tool {
  const properties = Object.fromEntries(required.map((each) => [each, { type: 'string' }]));
  return {
    scope: undefined,
    definition: {
      name,
      description: `Fixture for the conformance suite: ${name}.`,
      inputSchema: { type: 'object', properties, required: [...required] },
    },
    call,
  };
}

const textBlock = (text: string): ContentBlock => ({ type: 'text', text });
const embedded = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});
const image: ContentBlock = { type: 'image', data: pixel, mimeType: 'image/png' };
const audio: ContentBlock = { type: 'audio', data: silence, mimeType: 'audio/wav' };
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

const constant = (name: string, ...content: ContentBlock[]): Tool =>
  fixture(name, () => Promise.resolve({ content }));

const failing: Tool['call'] = () =>
  Promise.resolve({
    ...textResult('This tool intentionally returns an error for testing'),
    isError: true,
  });

const withProgress: Tool['call'] = async (_args, { context: { mcpReq } }) => {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    if (progress < 100) await pause();
  }
  return textResult('Done, with progress.');
};

const logMessages = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

const withLogging: Tool['call'] = async (_args, { context: { mcpReq } }) => {
  for (const message of logMessages) {
    // oxlint-disable-next-line typescript/no-deprecated -- in the suite as long as in the protocol
    await mcpReq.log('info', message);
    await pause();
  }
  return textResult('Done, with log messages.');
};

/** Tools that return every kind of content, or notify the client during the call. */
export const contentTools = (): Tool[] => [
  constant('test_simple_text', textBlock('This is a simple text response for testing.')),
  constant('test_image_content', image),
  constant('test_audio_content', audio),
  constant(
    'test_embedded_resource',
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  constant(
    'test_multiple_content_types',
    textBlock('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  fixture('test_error_handling', failing),
  fixture('test_tool_with_progress', withProgress),
  fixture('test_tool_with_logging', withLogging),
  fixture('test_logging_tool', withLogging),
];
