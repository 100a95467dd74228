import type { InputRequest, ServerContext } from '@modelcontextprotocol/server';
import type { Prompt, Tool } from '../../../../src/surfaces/mcp/catalogue.ts';
import type { Sdk } from '../../../../src/surfaces/mcp/server.ts';
import { fixture, fixtureDescription, textResult } from './content.ts';

type Codec = ReturnType<Sdk['createRequestStateCodec']>;
type ToolCall = Tool['call'];

/** Returns builders of the requests for input in a result. */
function createInputRequests({ inputRequired }: Sdk) {
  return {
    form: (message: string, name: string, type: 'string' | 'boolean' = 'string'): InputRequest =>
      inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { [name]: type === 'string' ? { type: 'string' } : { type: 'boolean' } },
          required: [name],
        },
      }),
    sample: (question: string, maxTokens: number): InputRequest =>
      inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: question } }],
        maxTokens,
      }),
    roots: (): InputRequest => inputRequired.listRoots(),
  };
}

/** The capabilities that the client declares in this request. */
function clientCapabilities({ mcpReq }: ServerContext): object {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const found = envelope['io.modelcontextprotocol/clientCapabilities'];
  return typeof found === 'object' && found !== null ? found : {};
}

const roundOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'round' in state && typeof state.round === 'number'
    ? state.round
    : 0;

const isAnswered = (
  { inputResponse }: Sdk,
  { mcpReq }: ServerContext,
  keys: readonly string[],
): boolean => keys.every((key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing');

const elicitation =
  ({ acceptedContent, inputRequired }: Sdk, nameForm: InputRequest): ToolCall =>
  async (_args, { context }) => {
    const content = acceptedContent<{ name?: unknown }>(context.mcpReq.inputResponses, 'user_name');
    return typeof content?.name === 'string'
      ? textResult(`Hello, ${content.name}!`)
      : inputRequired({ inputRequests: { user_name: nameForm } });
  };

/** Requires input in two rounds. The request state carries the number of the round. */
function multiRound(sdk: Sdk, codec: Codec): ToolCall {
  const { form } = createInputRequests(sdk);
  const require = async (round: number, key: string, request: InputRequest) =>
    sdk.inputRequired({
      inputRequests: { [key]: request },
      requestState: await codec.mint({ round }),
    });
  return async (_args, { context }) => {
    const round = roundOf(context.mcpReq.requestState());
    if (round === 2 && isAnswered(sdk, context, ['step2']))
      return textResult('Both rounds are over.');
    if (round >= 1 && (round === 2 || isAnswered(sdk, context, ['step1'])))
      return require(2, 'step2', form('Step 2: What is your favorite color?', 'color'));
    return require(1, 'step1', form('Step 1: What is your name?', 'name'));
  };
}

/** Requires only kinds of input that the client supports. */
function capabilityAware(sdk: Sdk): ToolCall {
  const { form, sample } = createInputRequests(sdk);
  return async (_args, { context }) => {
    const capabilities = clientCapabilities(context);
    if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0) return textResult('Answered.');
    const inputRequests = {
      ...('sampling' in capabilities ? { sampled: sample('Say something', 50) } : {}),
      ...('elicitation' in capabilities ? { asked: form('Say something', 'words') } : {}),
    };
    return Object.keys(inputRequests).length === 0
      ? textResult('The client can not be asked anything.')
      : sdk.inputRequired({ inputRequests });
  };
}

const missingCapability =
  ({ MissingRequiredClientCapabilityError }: Sdk): ToolCall =>
  async (_args, { context }) => {
    if ('sampling' in clientCapabilities(context))
      return textResult('The client can be asked to sample.');
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  };

/** Tools that return requests for input and are then called again with it (since 2026-07-28). */
export function inputRequiredTools(sdk: Sdk, codec: Codec): Tool[] {
  const { form, sample, roots } = createInputRequests(sdk);
  const nameForm = form('What is your name?', 'name');
  const confirm = { confirm: form('Please confirm', 'ok', 'boolean') };

  /** Requires input until it is complete. With `isStateful`, results carry request state. */
  const requiring = (
    name: string,
    inputRequests: Record<string, InputRequest>,
    done: string,
    isStateful = false,
  ) =>
    fixture(name, async (_args, { context }) => {
      const isComplete =
        isAnswered(sdk, context, Object.keys(inputRequests)) &&
        (!isStateful || context.mcpReq.requestState() !== undefined);
      if (isComplete) return textResult(done);
      const state = isStateful ? { requestState: await codec.mint({ tool: name }) } : {};
      return sdk.inputRequired({ inputRequests, ...state });
    });

  const prefix = 'test_input_required_result';
  const capital = { capital_question: sample('What is the capital of France?', 100) };
  const allInputs = {
    user_name: nameForm,
    greeting: sample('Generate a greeting', 50),
    client_roots: roots(),
  };
  return [
    fixture(`${prefix}_elicitation`, elicitation(sdk, nameForm)),
    requiring(`${prefix}_sampling`, capital, 'The question was answered.'),
    requiring(`${prefix}_list_roots`, { client_roots: roots() }, 'The roots were listed.'),
    requiring(`${prefix}_request_state`, confirm, 'state-ok', true),
    requiring(`${prefix}_tampered_state`, confirm, 'state-ok', true),
    requiring(`${prefix}_multiple_inputs`, allInputs, 'Everything was answered.', true),
    fixture(`${prefix}_multi_round`, multiRound(sdk, codec)),
    fixture(`${prefix}_capabilities`, capabilityAware(sdk)),
    requiring('test_streaming_elicitation', { user_name: nameForm }, 'Answered.'),
    fixture('test_missing_capability', missingCapability(sdk)),
  ];
}

/** A prompt that requires input. */
export function inputRequiredPrompt(sdk: Sdk): Prompt {
  const { form } = createInputRequests(sdk);
  const userContext = form('What context should the prompt use?', 'context');
  return {
    scope: undefined,
    definition: { name: 'test_input_required_result_prompt', description: fixtureDescription },
    complete: () => [],
    get(_args, { context }) {
      const content = sdk.acceptedContent<{ context?: unknown }>(
        context.mcpReq.inputResponses,
        'user_context',
      );
      if (content === undefined)
        return sdk.inputRequired({ inputRequests: { user_context: userContext } });
      const text = `Context: ${String(content.context)}`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  };
}
