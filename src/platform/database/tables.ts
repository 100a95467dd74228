/**
 * The tables of the record store, as the newest migration leaves them. Each area adds its own to
 * this interface in its `tables.ts`. timestamptz is a Date, int8 a number, date the text
 * YYYY-MM-DD, jsonb is parsed; jsonb is written with JSON.stringify.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- declaration merging fills it
export interface Tables {}
