import type { DuckDBValue } from '@duckdb/node-api';
import type { Filter, Step } from '../../queries.ts';
import { dictionaryColumns } from '../../events.ts';
import { toConditions } from './conditions.ts';

/** Steps of goals and funnels, compiled to SQL. */
export interface Steps {
  /** SELECT of `word` (dictionary id of a path or name) and `step` (its index) for all steps. */
  words: string;
  /** The dictionary id of an event's path or name, to join with `words`. */
  word: string;
  /** The condition of each step's filters; undefined for a step without filters. */
  conditions: readonly (string | undefined)[];
  /** Event columns that `conditions` read. */
  columns: readonly string[];
  parameters: Record<string, DuckDBValue>;
  filters: readonly Filter[];
}

interface IndexedStep {
  step: Step;
  index: number;
}

const filterColumns = ['hostname', 'title', 'tag', 'user_id', 'props'];
const dictionaryKind = ({ kind }: Step) =>
  dictionaryColumns.indexOf(kind === 'page' ? 'pathname' : 'name');
const isPattern = ({ value }: Step): boolean => value.includes('*');

/** Converts a pattern to a regular expression: unlike LIKE, RE2 matches in linear time. */
const toRegularExpression = (pattern: string): string =>
  pattern.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*');

/** Returns a SELECT of word and step: one dictionary pass per pattern, one for all other steps. */
function selectWords(indexed: readonly IndexedStep[]): string {
  const exact = indexed.filter(({ step }) => !isPattern(step));
  const rows = exact.map(({ step, index }) => `(${dictionaryKind(step)}, $step${index}, ${index})`);
  const patterns = indexed
    .filter(({ step }) => isPattern(step))
    .map(
      ({ step, index }) => `SELECT id, ${index} FROM dict
        WHERE kind = ${dictionaryKind(step)} AND regexp_full_match(value, $step${index}, 's')`,
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

/** Compiles at most 255 steps to SQL. Event steps never match page views or measurements. */
export function compileSteps(steps: readonly Step[]): Steps {
  const indexed = steps.map((step, index) => ({ step, index }));
  const conditions = indexed.map(({ step, index }) =>
    toConditions(step.filters, `step${index}_filter`),
  );
  const values = indexed.map(({ step, index }) => [
    `step${index}`,
    isPattern(step) ? toRegularExpression(step.value) : step.value,
  ]);
  return {
    words: `SELECT word, step::UTINYINT AS step FROM (${selectWords(indexed)}) w(word, step)
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
