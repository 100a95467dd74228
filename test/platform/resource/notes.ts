import { sql } from 'kysely';
import { z } from 'zod';
import { systemClock } from '../../../src/lib/clock.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { AppError } from '../../../src/platform/errors/errors.ts';
import { bindResource, defineResource } from '../../../src/platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../src/platform/resource/table-service.ts';

// Not in the catalogue of errors, which the tests of one process share.
const titleTaken = () => new AppError(409, 'notes.title_taken', 'Another note has this title.');

const title = z.string().trim().min(1).max(80);
const priority = z.enum(['low', 'high']);

const NoteView = z
  .object({
    id: z.uuid(),
    title: title.describe('Title of the note.'),
    priority: priority.describe('How urgent the note is.'),
    pages: z.int().describe('Number of pages.'),
    labels: z.array(z.string()).describe('Labels.'),
    is_public: z.boolean().describe('Whether everybody can read it.'),
    remark: z.string().nullable().describe('A remark.'),
    created_at: z.iso.datetime().describe('Creation time.'),
  })
  .meta({ id: 'Note', description: 'A note.' });

const NoteBody = z
  .strictObject({
    title,
    priority: priority.default('low'),
    pages: z.int().min(1).default(1),
    labels: z.array(z.string().max(20)).max(5).default([]),
    is_public: z.boolean().default(false),
    remark: z.string().max(80).optional(),
  })
  .meta({ examples: [{ title: 'Milk' }] });

/** A resource for tests. */
const notes = defineResource({
  name: 'notes',
  type: 'Note',
  path: '/api/v1/notes',
  tag: 'notes',
  scope: 'admin',
  view: NoteView,
  create: NoteBody,
  update: z.strictObject({ title, priority, labels: z.array(z.string()) }).partial(),
  filters: { priority, is_public: z.boolean() },
  sorts: ['-created_at', 'title', 'pages'],
  searches: 'title',
  notFound: 'request.not_found',
  texts: {
    one: 'a note',
    many: 'notes',
    description: 'Short texts.',
    fields: {
      id: 'Id',
      title: 'Title',
      priority: 'Priority',
      pages: 'Pages',
      labels: 'Labels',
      is_public: 'Public',
      remark: 'Remark',
      created_at: 'Created',
    },
    none: 'No notes yet.',
  },
});

export const createNotesTable = (db: Database) =>
  sql`create table notes (
    id uuid primary key, title text not null constraint notes_title unique,
    priority text not null, pages integer not null, labels text[] not null,
    is_public boolean not null, remark text default 'none',
    created_at timestamptz not null, updated_at timestamptz not null
  )`.execute(db);

/** Notes in SQL; `recorded` gets the entries of the audit log. */
export const composeNotes = (db: Database, recorded: unknown[]) =>
  bindResource(
    notes,
    createTableService(notes, {
      db,
      clock: systemClock,
      keys: () => Buffer.alloc(32, 7),
      audit: { recordIn: async (_transaction, entries) => recorded.push(...entries) },
      // The tables of tests are unknown to the types of the product.
      table: 'notes' as never,
      kind: 'note',
      actions: { created: 'note.created', updated: 'note.updated', deleted: 'note.deleted' },
      searched: ['title'],
      conflicts: { notes_title: titleTaken },
      toView: (row) => NoteView.parse(viewFromRow(notes, row)),
    }),
  );
