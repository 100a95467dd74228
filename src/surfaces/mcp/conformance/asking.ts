import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../catalogue.ts';
import { fixture, text } from './content.ts';

const consts = (...pairs: [string, string][]) =>
  pairs.map(([value, title]) => ({ const: value, title }));

const defaults = {
  name: { type: 'string', description: 'Name', default: 'John Doe' },
  age: { type: 'integer', description: 'Age', default: 30 },
  score: { type: 'number', description: 'Score', default: 95.5 },
  status: {
    type: 'string',
    description: 'Status',
    enum: ['active', 'inactive', 'pending'],
    default: 'active',
  },
  verified: { type: 'boolean', description: 'Verified', default: true },
};
const enums = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    oneOf: consts(
      ['value1', 'First Option'],
      ['value2', 'Second Option'],
      ['value3', 'Third Option'],
    ),
  },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: {
      anyOf: consts(
        ['value1', 'First Choice'],
        ['value2', 'Second Choice'],
        ['value3', 'Third Choice'],
      ),
    },
  },
};

/** Asks the client for input while the call goes on, as revisions before 2026-07-28 can. */
async function elicit(
  { mcpReq }: ServerContext,
  message: string,
  properties: Record<string, unknown>,
  required: string[] = [],
) {
  const { action, content = {} } = await mcpReq.send({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
  });
  return `action=${action}, content=${JSON.stringify(content)}`;
}

const Message = z.object({ message: z.string() });
const Prompt = z.object({ prompt: z.string() });

/** Tools that ask the client something while they are called: sessions only. */
export function askingTools(): Tool[] {
  return [
    fixture(
      'test_sampling',
      async (args, { context }) => {
        const { prompt } = Prompt.parse(args);
        const { content } = await context.mcpReq.send({
          method: 'sampling/createMessage',
          params: {
            messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
            maxTokens: 100,
          },
        });
        return text(`LLM response: ${JSON.stringify(content)}`);
      },
      ['prompt'],
    ),
    fixture(
      'test_elicitation',
      async (args, { context }) => {
        const { message } = Message.parse(args);
        const asked = {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        };
        return text(
          `User response: ${await elicit(context, message, asked, ['username', 'email'])}`,
        );
      },
      ['message'],
    ),
    fixture('test_elicitation_sep1034_defaults', async (_args, { context }) =>
      text(
        `Elicitation completed: ${await elicit(context, 'Please review the defaults', defaults)}`,
      ),
    ),
    fixture('test_elicitation_sep1330_enums', async (_args, { context }) =>
      text(`Elicitation completed: ${await elicit(context, 'Please select', enums)}`),
    ),
  ];
}
