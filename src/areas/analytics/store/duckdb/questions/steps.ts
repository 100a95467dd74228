import type { DuckDBValue } from '@duckdb/node-api';
import type { Filter, Step } from '../../questions.ts';
import { conditionsOf } from './conditions.ts';
import { dictionaryColumns } from '../schema/schema.ts';

/** What steps are, as SQL. */
export interface Steps {
  /** SELECT of `word` (the number of a path or a name) and `step` (a place in the list) for all that a step may be about. */
  words: string;
  /** The number of the event's path or name: what `words` is joined with. */
  word: string;
  /** Whether the filters of the step of this place hold; undefined when it has none. */
  holds: readonly (string | undefined)[];
  /** Columns of events that `holds` reads. */
  columns: readonly string[];
  parameters: Record<string, DuckDBValue>;
  filters: readonly Filter[];
}

const kindOf = ({ kind }: Step) => dictionaryColumns.indexOf(kind === 'page' ? 'pathname' : 'name');
const isPattern = ({ value }: Step): boolean => value.includes('*');
/** The pattern as a regular expression: its matcher is linear in the text, LIKE's is not when there are many `*`. */
const expressionOf = (value: string): string =>
  value.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*');
const filterColumns = ['hostname', 'title', 'tag', 'user_id', 'props'];

/** SELECT of word and step; each pattern is a pass over the dictionary, all other steps are one. */
function wordsOf(placed: readonly { step: Step; place: number }[]): string {
  const exact = placed
    .filter(({ step }) => !isPattern(step))
    .map(({ step, place }) => `(${kindOf(step)}, $step${place}, ${place})`);
  const patterns = placed
    .filter(({ step }) => isPattern(step))
    .map(
      ({ step, place }) =>
        `SELECT id, ${place} FROM dict WHERE kind = ${kindOf(step)} AND regexp_full_match(value, $step${place}, 's')`,
    );
  const parts =
    exact.length === 0
      ? patterns
      : [
          `SELECT d.id, s.step FROM dict d JOIN (VALUES ${exact.join(', ')}) s(kind, value, step) USING (kind, value)`,
          ...patterns,
        ];
  return parts.length === 0 ? 'SELECT 0, 0 WHERE false' : parts.join(' UNION ALL ');
}

/** SQL for at most 255 steps. Page views are no events of a step with a name, and measurements are nothing at all. */
export function stepsOf(steps: readonly Step[]): Steps {
  const placed = steps.map((step, place) => ({
    step,
    place,
    conditions: conditionsOf(step.filters, `step${place}_filter`),
  }));
  return {
    words: `SELECT word, step::UTINYINT AS step FROM (${wordsOf(placed)}) w(word, step) WHERE word <> 1 AND is_counted(word)`,
    word: 'CASE WHEN name = 1 THEN pathname ELSE name END',
    holds: placed.map(({ conditions: { event } }) =>
      event.length === 0 ? undefined : event.join(' AND '),
    ),
    columns: placed.some(({ step }) => step.filters.length > 0) ? filterColumns : [],
    parameters: {
      ...(Object.assign({}, ...placed.map(({ conditions }) => conditions.parameters)) as Record<
        string,
        DuckDBValue
      >),
      ...Object.fromEntries(
        placed.map(({ step, place }) => [
          `step${place}`,
          isPattern(step) ? expressionOf(step.value) : step.value,
        ]),
      ),
    },
    filters: steps.flatMap(({ filters }) => filters),
  };
}
