/** The settings of a new site. */
export const defaultSettings = {
  honour_gpc: true,
  honour_dnt: false,
  hosts: [],
  shields: { ips: [], countries: [], pages: [] },
  retention_days: null,
  timezone: 'UTC',
};

/** An event as it is stored. */
export type Row = Record<string, unknown> & { id: string };

/** The events of an export as NDJSON. */
export const rowsIn = (ndjson: string): Row[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
