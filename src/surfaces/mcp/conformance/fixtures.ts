import { randomBytes } from 'node:crypto';
import type { PromptMessage } from '@modelcontextprotocol/server';
import type { Catalogue, Prompt, Resource, ResourceTemplate, Tool } from '../catalogue.ts';
import type { Sdk, ServerSpec } from '../server.ts';
import { askingTools } from './asking.ts';
import { contentTools, fixture, pixel, text } from './content.ts';
import { inputRequiredPrompt, inputRequiredTools } from './input-required.ts';

interface Changes {
  tools: () => void;
  prompts: () => void;
}

function triggers(changes: Changes): Tool[] {
  const trigger = (name: string, change: () => void) =>
    fixture(name, () => {
      change();
      return Promise.resolve(text('Whoever listens was told.'));
    });
  return [
    trigger('test_trigger_tool_change', changes.tools),
    trigger('test_trigger_prompt_change', changes.prompts),
  ];
}

function resources(): Resource[] {
  const of = (
    uri: string,
    mimeType: string,
    content: { text: string } | { blob: string },
  ): Resource => ({
    definition: {
      uri,
      name: uri.slice('test://'.length),
      description: 'Fixture of the conformance suite.',
      mimeType,
    },
    read: () => ({ contents: [{ uri, mimeType, ...content }] }),
  });
  return [
    of('test://static-text', 'text/plain', {
      text: 'This is the content of the static text resource.',
    }),
    of('test://static-binary', 'image/png', { blob: pixel }),
    of('test://watched-resource', 'text/plain', { text: 'Watched resource content' }),
  ];
}

function templates(): ResourceTemplate[] {
  return [
    {
      definition: {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'Fixture of the conformance suite.',
        mimeType: 'application/json',
      },
      read(uri) {
        const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
        return id === undefined
          ? undefined
          : {
              contents: [
                {
                  uri,
                  mimeType: 'application/json',
                  text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
                },
              ],
            };
      },
    },
  ];
}

const said = (words: string): PromptMessage => ({
  role: 'user',
  content: { type: 'text', text: words },
});

function prompts(): Prompt[] {
  const of = (
    name: string,
    required: readonly string[],
    get: (args: Readonly<Record<string, string>>) => PromptMessage[],
  ): Prompt => ({
    scope: undefined,
    definition: {
      name,
      description: 'Fixture of the conformance suite.',
      arguments: required.map((each) => ({ name: each, required: true })),
    },
    get: (args) => ({ messages: get(args) }),
    complete: () => [],
  });
  return [
    of('test_simple_prompt', [], () => [said('This is a simple prompt for testing.')]),
    of('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1 = '', arg2 = '' }) => [
      said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ]),
    of('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri: uri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      said('Please process the embedded resource above.'),
    ]),
    of('test_prompt_with_image', [], () => [
      { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ]),
  ];
}

/** The same, with what the conformance suite of the protocol asks for beside it. */
export function withFixtures(sdk: Sdk, spec: ServerSpec, changes: Changes): ServerSpec {
  const codec = sdk.createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 600 });
  const { catalogue } = spec;
  const all: Catalogue = {
    tools: [
      ...catalogue.tools,
      ...contentTools(),
      ...askingTools(),
      ...inputRequiredTools(sdk, codec),
      ...triggers(changes),
    ],
    resources: [...catalogue.resources, ...resources()],
    templates: [...catalogue.templates, ...templates()],
    prompts: [...catalogue.prompts, ...prompts(), inputRequiredPrompt(sdk)],
  };
  return {
    ...spec,
    catalogue: all,
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
}
