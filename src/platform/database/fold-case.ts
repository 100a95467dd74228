import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for a text in lower case, regardless of the locale of the database. Comparisons fold both
 * sides with it, and indexes of folded columns use the same function.
 */
export const foldCase = (text: unknown): RawBuilder<string> => sql<string>`fold_case(${text})`;
