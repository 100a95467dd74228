import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Chip, Mode } from './chips.ts';
import type { MessageSettings, ParameterNames } from './sdm/settings.ts';

/** What a tap gets. */
export const actions = ['redirect', 'page', 'json', 'token'] as const;
export type Action = (typeof actions)[number];

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

interface NfcTagsTable extends MessageColumns {
  /** UUID version 7. */
  id: string;
  code: string;
  name: string;
  chip: Chip;
  mode: Mode;
  /** 14 characters of upper-case hex; null until the first genuine tap tells. */
  uid: string | null;
  parameters: ColumnType<ParameterNames | null, string | null, string | null>;
  key_source: KeySource | null;
  /** The version of the master key that the chip was encoded with. */
  key_version: number | null;
  /** Given keys, sealed, as hex. */
  sealed_meta_key: string | null;
  sealed_file_key: string | null;
  target: string | null;
  /** The site whose figures count the taps. Null in tags from before tags had one. */
  site_id: string | null;
  action: Action;
  /** Whether the query of the URL is added to the target, except for the message. */
  forward_query: Generated<boolean>;
  page_text: string | null;
  taps: Generated<number>;
  last_counter: number | null;
  last_tapped_at: Date | null;
  /** HMAC of the network of the last tap, which tells clones from reloads. */
  last_network: string | null;
  active: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A tag as it is read. */
export type TagRow = Selectable<NfcTagsTable>;

/** The master keys that the keys of tags are derived from. */
interface NfcMasterKeysTable {
  version: number;
  /** 16 bytes as hex, sealed. */
  sealed_key: string;
  created_at: Date;
}

/** One row for a tag, a kind and an hour. */
interface NfcAlarmsTable {
  id: string;
  /** Null for codes that no tag has. */
  tag_id: string | null;
  kind: AlarmKind;
  hour: Date;
  count: number;
  resolved: boolean;
  last_at: Date;
  created_at: Date;
  updated_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    nfc_tags: NfcTagsTable;
    nfc_master_keys: NfcMasterKeysTable;
    nfc_alarms: NfcAlarmsTable;
  }
}
