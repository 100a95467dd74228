import { createTables } from '../../../platform/database/create-tables.ts';

export const nfcTables = {
  /** The master keys that the keys of tags are derived from. */
  nfc_master_keys: {
    version: 'integer primary key',
    /** 16 bytes as hex, sealed. */
    sealed_key: 'text not null',
    created_at: 'timestamptz not null',
  },
  nfc_tags: {
    /** UUID version 7. */
    id: 'uuid primary key',
    code: 'text not null constraint nfc_tags_code unique',
    name: 'text not null',
    chip: `text not null check (chip in ('ntag213', 'ntag215', 'ntag216', 'ntag424',
      'ntag424_tt'))`,
    mode: "text not null check (mode in ('plain', 'mirror', 'sun'))",
    /** 14 characters of upper-case hex; null until the first genuine tap tells. */
    uid: 'text constraint nfc_tags_uid unique',
    /** From here to `parameters`: message settings, all null unless the mode is `sun`. */
    encryption: 'text',
    picc_data: 'text',
    mirrored: 'text',
    file_data: 'text',
    file_data_length: 'integer',
    tamper_status: 'boolean',
    mac_input: 'text',
    parameters: 'jsonb',
    key_source: 'text',
    /** The version of the master key that the chip was encoded with. */
    key_version: 'integer references nfc_master_keys',
    /** Given keys, sealed, as hex. */
    sealed_meta_key: 'text',
    sealed_file_key: 'text',
    target: 'text',
    /** The site whose figures count the taps. Null in tags from before tags had one. */
    site_id: 'text',
    action: "text not null check (action in ('redirect', 'page', 'json', 'token'))",
    /** Whether the query of the URL is added to the target, except for the message. */
    forward_query: 'boolean not null default true',
    page_text: 'text',
    taps: 'integer not null default 0',
    last_counter: 'integer',
    last_tapped_at: 'timestamptz',
    /** HMAC of the network of the last tap, which tells clones from reloads. */
    last_network: 'text',
    active: 'boolean not null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
  /** One row for a tag, a kind and an hour. */
  nfc_alarms: {
    id: 'uuid primary key',
    /** Null for codes that no tag has. */
    tag_id: 'uuid references nfc_tags on delete cascade',
    kind: 'text not null',
    hour: 'timestamptz not null',
    count: 'integer not null',
    resolved: 'boolean not null default false',
    last_at: 'timestamptz not null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
} as const;

export const nfc = createTables(nfcTables, [
  `alter table nfc_tags add constraint nfc_tags_keys check (
    (mode = 'sun') = (key_source is not null)
    and (key_source is distinct from 'derived' or key_version is not null)
    and (key_source is distinct from 'given' or sealed_file_key is not null))`,
  'create index nfc_tags_by_creation on nfc_tags (created_at, id)',
  'create index nfc_tags_by_name on nfc_tags (name, id)',
  'create index nfc_tags_by_taps on nfc_tags (taps, id)',
  'create index nfc_tags_by_key on nfc_tags (key_version)',
  `alter table nfc_alarms
    add constraint nfc_alarms_hour unique nulls not distinct (tag_id, kind, hour)`,
  'create index nfc_alarms_by_time on nfc_alarms (last_at, id)',
]);
