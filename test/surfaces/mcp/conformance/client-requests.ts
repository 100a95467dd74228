import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../../../../src/surfaces/mcp/catalogue.ts';
import { fixture, textResult } from './content.ts';

const titled = (...pairs: [value: string, title: string][]) =>
  pairs.map(([value, title]) => ({ const: value, title }));
const options = ['option1', 'option2', 'option3'];

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
  untitledSingle: { type: 'string', enum: options },
  titledSingle: {
    type: 'string',
    oneOf: titled(
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
    items: { type: 'string', enum: options },
  },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: {
      anyOf: titled(
        ['value1', 'First Choice'],
        ['value2', 'Second Choice'],
        ['value3', 'Third Choice'],
      ),
    },
  },
};
const user = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
};

/** Requests input from the client during a call (revisions before 2026-07-28). */
async function elicit(
  { mcpReq }: ServerContext,
  message: string,
  properties: Record<string, unknown>,
  required: string[] = [],
): Promise<string> {
  const { action, content = {} } = await mcpReq.send({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
  });
  return `action=${action}, content=${JSON.stringify(content)}`;
}

const Message = z.object({ message: z.string() });
const Prompt = z.object({ prompt: z.string() });

const sampling: Tool['call'] = async (args, { context }) => {
  const { content } = await context.mcpReq.send({
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: Prompt.parse(args).prompt } }],
      maxTokens: 100,
    },
  });
  return textResult(`LLM response: ${JSON.stringify(content)}`);
};

const elicitation: Tool['call'] = async (args, { context }) => {
  const { message } = Message.parse(args);
  const response = await elicit(context, message, user, ['username', 'email']);
  return textResult(`User response: ${response}`);
};

const elicitationOf =
  (message: string, properties: Record<string, unknown>): Tool['call'] =>
  async (_args, { context }) =>
    textResult(`Elicitation completed: ${await elicit(context, message, properties)}`);

/** Tools that send requests to the client during a call. They need a session. */
export const clientRequestTools = (): Tool[] => [
  fixture('test_sampling', sampling, ['prompt']),
  fixture('test_elicitation', elicitation, ['message']),
  fixture(
    'test_elicitation_sep1034_defaults',
    elicitationOf('Please review the defaults', defaults),
  ),
  fixture('test_elicitation_sep1330_enums', elicitationOf('Please select', enums)),
];
