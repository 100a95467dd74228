/** A page of a list, and where the next one begins. */
export interface KeysetPage<Row> {
  data: Row[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/**
 * The first `limit` rows of a list whose store was asked for one row more: that one row says
 * whether there is a next page. It begins after the last row of this page, which `cursorOf` names.
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

/** `keysetPage` of rows whose id is their cursor. */
export const pageById = <Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): KeysetPage<Row> => keysetPage(rows, limit, ({ id }) => id);
