import type { InputRequest, ServerContext } from '@modelcontextprotocol/server';
import type { Prompt, Tool } from '../catalogue.ts';
import type { Sdk } from '../server.ts';
import { fixture, text } from './content.ts';

type Codec = ReturnType<Sdk['createRequestStateCodec']>;

/** The questions that a result may hold. */
function createQuestions({ inputRequired }: Sdk) {
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

/** What the client said of itself in this request. */
function declared({ mcpReq }: ServerContext): object {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const found = envelope['io.modelcontextprotocol/clientCapabilities'];
  return typeof found === 'object' && found !== null ? found : {};
}

const roundOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'round' in state && typeof state.round === 'number'
    ? state.round
    : 0;

/** Tools of revision 2026-07-28 that need further input: they answer with questions, and are called again with the answers. */
export function inputRequiredTools(sdk: Sdk, codec: Codec): Tool[] {
  const { acceptedContent, inputRequired, inputResponse, MissingRequiredClientCapabilityError } =
    sdk;
  const { form, sample, roots } = createQuestions(sdk);

  const answered = ({ mcpReq }: ServerContext, keys: readonly string[]): boolean =>
    keys.every((key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing');

  /** Asks until every question is answered. With `isStateful` its state goes around with the questions. */
  const asking = (
    name: string,
    questions: Record<string, InputRequest>,
    done: string,
    isStateful = false,
  ) =>
    fixture(name, async (_args, { context }) => {
      if (
        answered(context, Object.keys(questions)) &&
        (!isStateful || context.mcpReq.requestState() !== undefined)
      )
        return text(done);
      return inputRequired({
        inputRequests: questions,
        ...(isStateful ? { requestState: await codec.mint({ tool: name }) } : {}),
      });
    });

  async function ask(round: number, key: string, question: InputRequest) {
    return inputRequired({
      inputRequests: { [key]: question },
      requestState: await codec.mint({ round }),
    });
  }

  return [
    fixture('test_input_required_result_elicitation', (_args, { context }) => {
      const content = acceptedContent<{ name?: unknown }>(
        context.mcpReq.inputResponses,
        'user_name',
      );
      return Promise.resolve(
        typeof content?.name === 'string'
          ? text(`Hello, ${content.name}!`)
          : inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } }),
      );
    }),
    asking(
      'test_input_required_result_sampling',
      { capital_question: sample('What is the capital of France?', 100) },
      'The question was answered.',
    ),
    asking(
      'test_input_required_result_list_roots',
      { client_roots: roots() },
      'The roots were listed.',
    ),
    asking(
      'test_input_required_result_request_state',
      { confirm: form('Please confirm', 'ok', 'boolean') },
      'state-ok',
      true,
    ),
    asking(
      'test_input_required_result_tampered_state',
      { confirm: form('Please confirm', 'ok', 'boolean') },
      'state-ok',
      true,
    ),
    asking(
      'test_input_required_result_multiple_inputs',
      {
        user_name: form('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: roots(),
      },
      'Everything was answered.',
      true,
    ),
    fixture('test_input_required_result_multi_round', (_args, { context }) => {
      const round = roundOf(context.mcpReq.requestState());
      if (round === 2 && answered(context, ['step2']))
        return Promise.resolve(text('Both rounds are over.'));
      if (round >= 1 && (round === 2 || answered(context, ['step1'])))
        return ask(2, 'step2', form('Step 2: What is your favorite color?', 'color'));
      return ask(1, 'step1', form('Step 1: What is your name?', 'name'));
    }),
    fixture('test_input_required_result_capabilities', (_args, { context }) => {
      const can = declared(context);
      if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0)
        return Promise.resolve(text('Answered.'));
      const questions = {
        ...('sampling' in can ? { sampled: sample('Say something', 50) } : {}),
        ...('elicitation' in can ? { asked: form('Say something', 'words') } : {}),
      };
      return Promise.resolve(
        Object.keys(questions).length === 0
          ? text('The client can not be asked anything.')
          : inputRequired({ inputRequests: questions }),
      );
    }),
    asking(
      'test_streaming_elicitation',
      { user_name: form('What is your name?', 'name') },
      'Answered.',
    ),
    fixture('test_missing_capability', (_args, { context }) => {
      if ('sampling' in declared(context))
        return Promise.resolve(text('The client can be asked to sample.'));
      return Promise.reject(
        new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } }),
      );
    }),
  ];
}

/** A prompt that needs further input. */
export function inputRequiredPrompt(sdk: Sdk): Prompt {
  const name = 'test_input_required_result_prompt';
  return {
    scope: undefined,
    definition: { name, description: 'Fixture of the conformance suite.' },
    complete: () => [],
    get(_args, { context }) {
      const content = sdk.acceptedContent<{ context?: unknown }>(
        context.mcpReq.inputResponses,
        'user_context',
      );
      if (content === undefined)
        return sdk.inputRequired({
          inputRequests: {
            user_context: createQuestions(sdk).form(
              'What context should the prompt use?',
              'context',
            ),
          },
        });
      return {
        messages: [
          { role: 'user', content: { type: 'text', text: `Context: ${String(content.context)}` } },
        ],
      };
    },
  };
}
