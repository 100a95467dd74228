/**
 * The tables of the record store after the newest migration. Each area adds its own to this
 * interface in its `tables.ts`. timestamptz is read as a Date, int8 as a number, date as the text
 * YYYY-MM-DD, jsonb as a parsed value; jsonb is written with JSON.stringify.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- declaration merging fills it
export interface Tables {}
