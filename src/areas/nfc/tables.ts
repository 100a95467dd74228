import type { ColumnType, Selectable } from 'kysely';
import type { Rows } from '../../platform/database/create-tables.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { nfcTables } from './migrations/0016-nfc.ts';
import type { MessageSettings, ParameterNames } from './sdm/settings.ts';

/** What a tap gets. */
export const actions = ['redirect', 'page', 'json', 'token'] as const;

/** Where the keys of a tag come from. */
export const keySources = ['derived', 'given'] as const;
export type KeySource = (typeof keySources)[number];

/** What an alarm is about. */
export const alarmKinds = [
  'forged',
  'replayed',
  'cloned',
  'unknown_uid',
  'opened',
  'unknown_code',
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

/** The message settings of a tag, all null unless its mode is `sun`. */
type MessageColumns = {
  [Name in Exclude<keyof MessageSettings, 'parameters'>]: MessageSettings[Name] | null;
};

interface TagColumns extends MessageColumns {
  parameters: ColumnType<ParameterNames | null, string | null, string | null>;
  key_source: KeySource | null;
}

/** A tag as it is read. */
export type TagRow = Selectable<Tables['nfc_tags']>;

type NfcRows = Rows<typeof nfcTables, { nfc_tags: TagColumns; nfc_alarms: { kind: AlarmKind } }>;

/** Columns that later migrations added. */
interface AddedColumns {
  /** The heading of the page. */
  title: string | null;
}

declare module '../../platform/database/tables.ts' {
  interface Tables extends Omit<NfcRows, 'nfc_tags'> {
    nfc_tags: NfcRows['nfc_tags'] & AddedColumns;
  }
}
