import { z } from 'zod';
import { exportColumns, exportFormats } from '../store/queries.ts';
import { FilterParameter } from './filters.ts';

const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

export const ExportBody = z
  .strictObject({
    format: z.enum(exportFormats).default('ndjson'),
    site_id: z.string().min(1).max(64).optional().describe('All sites when absent.'),
    from: instant.optional().describe('First instant, or UTC day.'),
    to: instant.optional().describe('Instant or UTC day before which it ends.'),
    filter: FilterParameter,
    columns: z
      .array(z.enum(exportColumns))
      .min(1)
      .max(exportColumns.length)
      .optional()
      .describe('All columns when absent. `id` is always among them.'),
  })
  .nullish()
  .meta({
    examples: [
      {
        format: 'csv',
        site_id: 'example.com',
        from: '2026-05-01',
        to: '2026-05-05',
        filter: 'country:is:DE',
      },
    ],
  });
export type ExportBody = z.output<typeof ExportBody>;
