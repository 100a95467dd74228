/** A page of a list, with the cursor of the next page. */
export interface KeysetPage<Row> {
  data: Row[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/**
 * Makes a page of the first `limit` rows. `rows` should have one row more if there is a next page.
 * Its cursor is `cursorOf` the last row of this page.
 */
export function keysetPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): KeysetPage<Row> {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last === undefined ? null : cursorOf(last) };
}

/** `keysetPage` for rows whose id is the cursor. */
export const pageById = <Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): KeysetPage<Row> => keysetPage(rows, limit, ({ id }) => id);
