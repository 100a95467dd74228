import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { differences } from './answers.ts';
import { type Block, blocksOf } from './markdown.ts';
import { runShell } from './shell.ts';

const folder = join(import.meta.dirname, '../../docs/guides');

/** What the guide tells its reader to do before the block with this text. */
export interface Step {
  before: RegExp;
  act: (variables: Record<string, string>) => Promise<unknown>;
}

export interface Reading {
  /** How many blocks were run, and how many answers compared. */
  ran: number;
  compared: number;
  /** The reasons of those that were not. */
  notRun: string[];
}

export const readGuide = async (name: string): Promise<Block[]> => blocksOf(await readFile(join(folder, name), 'utf8'));

/** As the guides say: `$ACCESS_TOKEN` is the member `access_token` of the last answer that had one, `$USER_ID` the `id` of its `user`. */
function keepMembers(answer: unknown, variables: Record<string, string>): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (typeof value === 'string') variables[name.toUpperCase()] = value;
  }
  if ('user' in answer && typeof answer.user === 'object' && answer.user !== null && 'id' in answer.user) variables.USER_ID = String(answer.user.id);
}

/** Nothing is refused but what the guide says: the last request of the block. */
const isAsSaid = (statuses: readonly number[], refusal: number | undefined): boolean =>
  statuses.length > 0 && statuses.every((status, at) => (refusal !== undefined && at === statuses.length - 1 ? status === refusal : status < 400));

export interface ReaderOptions {
  origin: string;
  variables: Record<string, string>;
  steps: readonly Step[];
  /** Runs a block of TypeScript. */
  runTypeScript: (source: string) => Promise<void>;
  /** Where the blocks of shell run, for those that keep files. */
  folder?: string;
}

/** Follows a guide from the beginning to the end: runs its blocks in order, and compares what is answered with what it shows. */
export async function follow(name: string, { origin, variables, steps, runTypeScript, folder: shellFolder }: ReaderOptions): Promise<Reading> {
  const reading: Reading = { ran: 0, compared: 0, notRun: [] };
  const unused = new Set(steps);
  const untrue: string[] = [];
  let last: unknown;

  async function runBlock({ language, text, line, refusal }: Block): Promise<void> {
    for (const step of steps.filter(({ before }) => before.test(text))) {
      unused.delete(step);
      const answer = await step.act(variables);
      if (answer !== undefined) keepMembers(last = answer, variables);
    }
    if (language === 'json') {
      untrue.push(...differences(JSON.parse(text), last, `${name}, line ${line}: answer`));
      reading.compared += 1;
    } else if (language === 'ts') {
      await runTypeScript(text);
      reading.ran += 1;
    } else if (language === 'sh') {
      const { text: printed, statuses } = await runShell(text, origin, variables, shellFolder);
      if (!isAsSaid(statuses, refusal)) throw new Error(`answered ${statuses.join()}: ${printed}`);
      last = JSON.parse(printed);
      keepMembers(last, variables);
      reading.ran += 1;
    } else throw new Error(`is of a kind that nobody runs: "${language}". Put <!-- not run: reason --> above it, or use sh, ts or json.`);
  }

  for (const block of await readGuide(name)) {
    if (block.notRun !== undefined) reading.notRun.push(block.notRun);
    else {
      await runBlock(block).catch((error: unknown) => {
        throw new Error(`${name}, line ${block.line}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
    }
  }
  if (untrue.length > 0) throw new Error(untrue.join('\n'));
  if (unused.size > 0) throw new Error(`${name} has no block for ${[...unused].map(({ before }) => String(before)).join()}`);
  return reading;
}
