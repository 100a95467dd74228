import { randomBytes } from 'node:crypto';
import type { PromptMessage } from '@modelcontextprotocol/server';
import type {
  Catalogue,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src/surfaces/mcp/catalogue.ts';
import type { ExtendMcp } from '../../../../src/surfaces/mcp/service.ts';
import { clientRequestTools } from './client-requests.ts';
import { contentTools, fixture, fixtureDescription, pixel, textResult } from './content.ts';
import { inputRequiredPrompt, inputRequiredTools } from './input-required.ts';

const triggerTool = (name: string, notify: () => void): Tool =>
  fixture(name, async () => {
    notify();
    return textResult('Subscribers were notified.');
  });

function resource(
  uri: string,
  mimeType: string,
  content: { text: string } | { blob: string },
): Resource {
  const name = uri.slice('test://'.length);
  return {
    definition: { uri, name, description: fixtureDescription, mimeType },
    read: () => ({ contents: [{ uri, mimeType, ...content }] }),
  };
}

const template: ResourceTemplate = {
  definition: {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: fixtureDescription,
    mimeType: 'application/json',
  },
  read(uri) {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id === undefined) return undefined;
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  },
};

const userText = (text: string): PromptMessage => ({
  role: 'user',
  content: { type: 'text', text },
});

const prompt = (
  name: string,
  required: readonly string[],
  get: (args: Readonly<Record<string, string>>) => PromptMessage[],
): Prompt => ({
  scope: undefined,
  definition: {
    name,
    description: fixtureDescription,
    arguments: required.map((each) => ({ name: each, required: true })),
  },
  get: (args) => ({ messages: get(args) }),
  complete: () => [],
});

const prompts = (): Prompt[] => [
  prompt('test_simple_prompt', [], () => [userText('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1 = '', arg2 = '' }) => [
    userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri: uri = '' }) => [
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
    },
    userText('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', [], () => [
    { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
    userText('Please analyze the image above.'),
  ]),
];

/** Adds the fixtures of the protocol's conformance suite to a server's specification. */
export const withFixtures: ExtendMcp = (sdk, spec, notify) => {
  const codec = sdk.createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 600 });
  const { tools, resources, templates, prompts: basePrompts } = spec.catalogue;
  const staticText = { text: 'This is the content of the static text resource.' };
  const catalogue: Catalogue = {
    tools: [
      ...tools,
      ...contentTools(),
      ...clientRequestTools(),
      ...inputRequiredTools(sdk, codec),
      triggerTool('test_trigger_tool_change', notify.tools),
      triggerTool('test_trigger_prompt_change', notify.prompts),
    ],
    resources: [
      ...resources,
      resource('test://static-text', 'text/plain', staticText),
      resource('test://static-binary', 'image/png', { blob: pixel }),
      resource('test://watched-resource', 'text/plain', { text: 'Watched resource content' }),
    ],
    templates: [...templates, template],
    prompts: [...basePrompts, ...prompts(), inputRequiredPrompt(sdk)],
  };
  return {
    ...spec,
    catalogue,
    options: {
      requestState: { verify: (state, context) => codec.verify(state, context) },
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
      },
    },
  };
};
