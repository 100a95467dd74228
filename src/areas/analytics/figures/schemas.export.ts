import { z } from 'zod';
import { exportColumns, exportFormats } from '../store/queries.ts';
import { instant } from '../../../platform/validation/instants.ts';
import { FilterParameter } from './filters.ts';

const edge = z.union([instant(), z.iso.date()]);

export const ExportBody = z
  .strictObject({
    format: z.enum(exportFormats).default('ndjson'),
    site_id: z.string().min(1).max(64).optional().describe('Default: all sites.'),
    from: edge.optional().describe('First instant or UTC day, inclusive.'),
    to: edge.optional().describe('Last instant or UTC day, exclusive.'),
    filter: FilterParameter,
    columns: z
      .array(z.enum(exportColumns))
      .min(1)
      .max(exportColumns.length)
      .optional()
      .describe('Columns to export. Default: all. `id` is always included.'),
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
