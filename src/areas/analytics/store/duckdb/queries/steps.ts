import type { DuckDBValue } from '@duckdb/node-api';
import type { Filter, Step } from '../../queries.ts';
import { dictionaryColumns } from '../schema/columns.ts';
import { conditionsOf } from './conditions.ts';

/** Steps of goals and funnels as SQL. */
export interface Steps {
  /** SELECT of `word` (dictionary entry of a path or name) and `step` (its index) for all steps. */
  words: string;
  /** The entry of an event's path or name: what `words` is joined with. */
  word: string;
  /** The condition of the filters of each step; undefined when it has none. */
  conditions: readonly (string | undefined)[];
  /** Columns of events that `conditions` read. */
  columns: readonly string[];
  parameters: Record<string, DuckDBValue>;
  filters: readonly Filter[];
}

interface IndexedStep {
  step: Step;
  index: number;
}

const filterColumns = ['hostname', 'title', 'tag', 'user_id', 'props'];
const kindOf = ({ kind }: Step) => dictionaryColumns.indexOf(kind === 'page' ? 'pathname' : 'name');
const isPattern = ({ value }: Step): boolean => value.includes('*');

/** A pattern as a regular expression: matched in linear time, unlike LIKE with many wildcards. */
const toRegularExpression = (pattern: string): string =>
  pattern.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*');

/** SELECT of word and step: one pass over the dictionary for each pattern, one for all the rest. */
function wordsOf(indexed: readonly IndexedStep[]): string {
  const exact = indexed.filter(({ step }) => !isPattern(step));
  const rows = exact.map(({ step, index }) => `(${kindOf(step)}, $step${index}, ${index})`);
  const patterns = indexed
    .filter(({ step }) => isPattern(step))
    .map(
      ({ step, index }) => `SELECT id, ${index} FROM dict
        WHERE kind = ${kindOf(step)} AND regexp_full_match(value, $step${index}, 's')`,
    );
  const parts =
    rows.length === 0
      ? patterns
      : [
          `SELECT d.id, s.step FROM dict d
           JOIN (VALUES ${rows.join(', ')}) s(kind, value, step) USING (kind, value)`,
          ...patterns,
        ];
  return parts.length === 0 ? 'SELECT 0, 0 WHERE false' : parts.join(' UNION ALL ');
}

/** SQL for at most 255 steps. A step with a name never matches page views nor measurements. */
export function stepsOf(steps: readonly Step[]): Steps {
  const indexed = steps.map((step, index) => ({ step, index }));
  const conditions = indexed.map(({ step, index }) =>
    conditionsOf(step.filters, `step${index}_filter`),
  );
  const values = indexed.map(({ step, index }) => [
    `step${index}`,
    isPattern(step) ? toRegularExpression(step.value) : step.value,
  ]);
  return {
    words: `SELECT word, step::UTINYINT AS step FROM (${wordsOf(indexed)}) w(word, step)
      WHERE word <> 1 AND is_counted(word)`,
    word: 'CASE WHEN name = 1 THEN pathname ELSE name END',
    conditions: conditions.map(({ event }) =>
      event.length === 0 ? undefined : event.join(' AND '),
    ),
    columns: steps.some(({ filters }) => filters.length > 0) ? filterColumns : [],
    parameters: Object.fromEntries([
      ...conditions.flatMap(({ parameters }) => Object.entries(parameters)),
      ...values,
    ]) as Record<string, DuckDBValue>,
    filters: steps.flatMap(({ filters }) => filters),
  };
}
