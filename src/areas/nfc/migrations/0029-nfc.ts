import { type Kysely, type Migration, sql } from 'kysely';

const oneOf = (column: string, ...values: string[]) =>
  sql.raw(`${column} in (${values.map((each) => `'${each}'`).join()})`);

async function createMasterKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('nfc_master_keys')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('sealed_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function createTags(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('nfc_tags')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('chip', 'text', (column) =>
      column
        .notNull()
        .check(oneOf('chip', 'ntag213', 'ntag215', 'ntag216', 'ntag424', 'ntag424_tt')),
    )
    .addColumn('mode', 'text', (column) =>
      column.notNull().check(oneOf('mode', 'plain', 'mirror', 'sun')),
    )
    .addColumn('uid', 'text')
    .addColumn('encryption', 'text')
    .addColumn('picc_data', 'text')
    .addColumn('mirrored', 'text')
    .addColumn('file_data', 'text')
    .addColumn('file_data_length', 'integer')
    .addColumn('tamper_status', 'boolean')
    .addColumn('mac_input', 'text')
    .addColumn('parameters', 'jsonb')
    .addColumn('key_source', 'text')
    .addColumn('key_version', 'integer', (column) => column.references('nfc_master_keys.version'))
    .addColumn('sealed_meta_key', 'text')
    .addColumn('sealed_file_key', 'text')
    .addColumn('target', 'text')
    .addColumn('action', 'text', (column) =>
      column.notNull().check(oneOf('action', 'redirect', 'page', 'json', 'token')),
    )
    .addColumn('page_text', 'text')
    .addColumn('taps', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_counter', 'integer')
    .addColumn('last_tapped_at', 'timestamptz')
    .addColumn('last_network', 'text')
    .addColumn('active', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('nfc_tags_code', ['code'])
    .addUniqueConstraint('nfc_tags_uid', ['uid'])
    .addCheckConstraint(
      'nfc_tags_keys',
      sql`(mode = 'sun') = (key_source is not null)
        and (key_source is distinct from 'derived' or key_version is not null)
        and (key_source is distinct from 'given' or sealed_file_key is not null)`,
    )
    .execute();
}

async function createAlarms(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('nfc_alarms')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('tag_id', 'uuid', (column) => column.references('nfc_tags.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('hour', 'timestamptz', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('resolved', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('last_at', 'timestamptz', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await sql`alter table nfc_alarms add constraint nfc_alarms_hour
    unique nulls not distinct (tag_id, kind, hour)`.execute(db);
}

const indexes = [
  'nfc_tags_by_creation on nfc_tags (created_at, id)',
  'nfc_tags_by_name on nfc_tags (name, id)',
  'nfc_tags_by_taps on nfc_tags (taps, id)',
  'nfc_tags_by_key on nfc_tags (key_version)',
  'nfc_alarms_by_time on nfc_alarms (last_at, id)',
];

export const nfc: Migration = {
  async up(db) {
    await createMasterKeys(db);
    await createTags(db);
    await createAlarms(db);
    for (const index of indexes) await sql.raw(`create index ${index}`).execute(db);
  },
};
