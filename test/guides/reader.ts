import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { differences } from './answers.ts';
import { type Block, blocksOf } from './markdown.ts';
import { type Printed, runShell } from './shell.ts';

const folder = join(import.meta.dirname, '../../docs/guides');

/** What the guide tells its reader to do before the blocks that match. */
export interface Step {
  before: RegExp;
  act: (variables: Record<string, string>) => Promise<unknown>;
}

export interface Reading {
  /** How many blocks were run, and how many answers compared. */
  ran: number;
  compared: number;
  /** The reasons why blocks were not run. */
  notRun: string[];
}

export const readGuide = async (name: string): Promise<Block[]> =>
  blocksOf(await readFile(join(folder, name), 'utf8'));

/**
 * Sets the variables of the guides: `$ACCESS_TOKEN` is the member `access_token` of the last answer
 * that had one, `$USER_ID` the `id` of its `user`.
 */
function keepMembers(answer: unknown, variables: Record<string, string>): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (typeof value === 'string') variables[name.toUpperCase()] = value;
  }
  if (
    'user' in answer &&
    typeof answer.user === 'object' &&
    answer.user !== null &&
    'id' in answer.user
  )
    variables.USER_ID = String(answer.user.id);
}

/** Whether only the last request of the block was refused, and only if the guide says so. */
const areExpected = (statuses: readonly number[], refusal: number | undefined): boolean =>
  statuses.every((status, at) =>
    refusal !== undefined && at === statuses.length - 1 ? status === refusal : status < 400,
  );

/** Returns what a terminal shows, for guides that show that instead of an answer. */
const toTerminalText = ({ text, stderr }: Printed): string =>
  [text, stderr]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
const isTerminal = (block: Block | undefined): boolean => block?.language === 'text';
const isShown = (block: Block): boolean => block.language === 'json' || isTerminal(block);

export interface ReaderOptions {
  origin: string;
  variables: Record<string, string>;
  steps?: readonly Step[];
  /** Runs a block of TypeScript. */
  runTypeScript?: (source: string) => Promise<void>;
  /** Runs blocks of other languages, by the info string of their fences. */
  runOther?: Readonly<Record<string, (text: string) => Promise<unknown>>>;
  /** Working directory of the shell blocks, for those that write files. */
  folder?: string;
}

/**
 * Runs a shell block and returns its JSON answer, or its terminal output when the guide shows that
 * next.
 */
async function runShellBlock(
  { text, refusal }: Block,
  next: Block | undefined,
  { origin, variables, folder: shellFolder }: ReaderOptions,
): Promise<unknown> {
  const printed = await runShell(text, origin, variables, shellFolder);
  const { statuses } = printed;
  if (!areExpected(statuses, refusal) || (statuses.length === 0 && text.includes('curl ')))
    throw new Error(`answered ${statuses.join()}: ${printed.text}`);
  return isTerminal(next) ? toTerminalText(printed) : JSON.parse(printed.text);
}

const noTypeScript = () =>
  Promise.reject(
    new Error('there was no TypeScript in this guide: say here what has to come of it'),
  );

/**
 * Follows a guide from start to end: runs its blocks in order and compares the answers with those
 * it shows. Throws when they differ or a step matches no block.
 */
export async function follow(name: string, options: ReaderOptions): Promise<Reading> {
  const { variables, steps = [], runTypeScript = noTypeScript, runOther = {} } = options;
  const reading: Reading = { ran: 0, compared: 0, notRun: [] };
  const unused = new Set(steps);
  const mismatches: string[] = [];
  let last: unknown;
  const blocks = await readGuide(name);

  function compare(shown: unknown, line: number): void {
    mismatches.push(...differences(shown, last, `${name}, line ${line}: answer`));
    reading.compared += 1;
  }

  async function runBlock(block: Block, next: Block | undefined): Promise<void> {
    const { language, text, line } = block;
    for (const step of steps.filter(({ before }) => before.test(text))) {
      unused.delete(step);
      const answer = await step.act(variables);
      if (answer !== undefined) keepMembers((last = answer), variables);
    }
    const other = runOther[language];
    if (language === 'json') compare(JSON.parse(text), line);
    else if (isTerminal(block)) compare(text, line);
    else if (language === 'ts') await runTypeScript(text);
    else if (language === 'sh')
      keepMembers((last = await runShellBlock(block, next, options)), variables);
    else if (other !== undefined) await other(text);
    else
      throw new Error(
        `is of a kind that nobody runs: "${language}". Put <!-- not run: reason --> above ` +
          'it, or use sh, ts, json or text.',
      );
    if (!isShown(block)) reading.ran += 1;
  }

  for (const [at, block] of blocks.entries()) {
    if (block.notRun !== undefined) reading.notRun.push(block.notRun);
    else {
      await runBlock(block, blocks[at + 1]).catch((error: unknown) => {
        throw new Error(
          `${name}, line ${block.line}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      });
    }
  }
  if (mismatches.length > 0) throw new Error(mismatches.join('\n'));
  if (unused.size > 0)
    throw new Error(
      `${name} has no block for ${[...unused].map(({ before }) => String(before)).join()}`,
    );
  return reading;
}
