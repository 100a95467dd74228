type ValueParser = (text: string) => unknown;

const oid = { bytea: 17, int8: 20, json: 114, date: 1082, timestamptz: 1184, jsonb: 3802 };

/**
 * Parsers of column values by PostgreSQL type OID, for both drivers. int8 becomes a number (exact
 * up to 2^53), date stays text, bytea becomes a Buffer.
 */
export const valueParsers: Readonly<Record<number, ValueParser>> = {
  [oid.bytea]: (text) => Buffer.from(text.slice(2), 'hex'),
  [oid.int8]: Number,
  [oid.json]: (text): unknown => JSON.parse(text),
  [oid.jsonb]: (text): unknown => JSON.parse(text),
  [oid.date]: (text) => text,
  [oid.timestamptz]: (text) => new Date(text),
};
