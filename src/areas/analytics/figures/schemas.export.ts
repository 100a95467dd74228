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

const file = (meta: { format?: string; examples: string[] }) => ({
  schema: z.any().meta({ type: 'string', ...meta }),
});

/** The exported file, by content type. */
export const exportResponse = {
  description: 'The events, in the requested format.',
  content: {
    'application/x-ndjson': file({
      examples: [
        '{"id":"01985f6e-3a10-7c41-9d52-5b8e2f7a1c04",' +
          '"site_id":"example.com","event":"pageview"}\n',
      ],
    }),
    'text/csv': file({
      examples: ['id,site_id,event\n01985f6e-3a10-7c41-9d52-5b8e2f7a1c04,example.com,pageview\n'],
    }),
    'application/vnd.apache.parquet': file({ format: 'binary', examples: ['PAR1…'] }),
  },
};
