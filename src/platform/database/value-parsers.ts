type ValueParser = (text: string) => unknown;

const oid = { bytea: 17, int8: 20, json: 114, date: 1082, timestamptz: 1184, jsonb: 3802 };

/**
 * How column values become JavaScript, by PostgreSQL type number: the same on both drivers.
 * int8 is a number (exact up to 2^53), date stays text, bytea is a Buffer.
 */
export const valueParsers: Readonly<Record<number, ValueParser>> = {
  [oid.bytea]: (text) => Buffer.from(text.slice(2), 'hex'),
  [oid.int8]: Number,
  [oid.json]: (text): unknown => JSON.parse(text),
  [oid.jsonb]: (text): unknown => JSON.parse(text),
  [oid.date]: (text) => text,
  [oid.timestamptz]: (text) => new Date(text),
};
