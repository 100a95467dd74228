import { z } from 'zod';
import { TargetRule } from '../schemas.ts';

const id = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';

export const CodeParams = z.object({
  id: z
    .uuid()
    .toLowerCase()
    .describe('Id of the QR code.')
    .meta({ examples: [id] }),
});

export const FormerTargetView = z
  .object({
    id: z.string().describe('Grows with every change.'),
    url: z.string(),
    rules: z.array(TargetRule),
    replaced_at: z.iso.datetime(),
  })
  .meta({ id: 'QrFormerTarget', description: 'A target that a QR code had.' });
export type FormerTargetView = z.output<typeof FormerTargetView>;

export const FormerTargetsView = z
  .object({ data: z.array(FormerTargetView) })
  .meta({ id: 'QrFormerTargets', description: 'The last hundred targets, newest first.' });

export const RestoreBody = z
  .strictObject({
    target_id: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional()
      .describe('Which former target. Default: the last one.')
      .meta({ examples: ['17'] }),
  })
  .nullish()
  .meta({ id: 'QrRestoreBody', examples: [{ target_id: '17' }] });
