import { z } from 'zod';
import { maxBatchRows } from '../batches/schemas.ts';
import { qrLevels } from '../drawing/matrix.ts';
import { fitsPaper, SheetOptions, wrongPaper } from '../drawing/sheet-layout.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';
import { exampleId, idParams } from '../schemas.ts';

const color = (name: string, example: string) =>
  z
    .string()
    .regex(/^#?[\da-f]{6}$/i, 'must be a color such as 1a2b3c')
    .optional()
    .describe(`Color of the ${name}, such as \`${example}\`. Default: that of the style.`)
    .meta({ examples: [example] });

const size = z.coerce
  .number()
  .int()
  .min(64)
  .max(4096)
  .default(600)
  .describe('Width and height in pixels; in tenths of a millimeter for PDF.');

const look = {
  level: z.enum(qrLevels).optional().describe('Error correction.'),
  fgColor: color('code', '1a2b3c'),
  bgColor: color('background', 'ffffff'),
  margin: z.coerce.number().int().min(0).max(16).optional().describe('Empty space, in modules.'),
};

/** How a picture of a stored code differs from its style. */
export const PictureQuery = z.strictObject({
  size,
  ...look,
  hideLogo: z
    .stringbool()
    .optional()
    .describe('Leaves the logo out.')
    .meta({ type: 'boolean', example: true }),
  download: z
    .stringbool()
    .optional()
    .describe('Sends the file as a download.')
    .meta({ type: 'boolean', example: true }),
});
export type PictureQuery = z.output<typeof PictureQuery>;

/** A picture of any text, which is stored nowhere. */
export const AnyPictureQuery = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2953)
      .optional()
      .describe('The URL in the code.')
      .meta({ examples: ['https://example.com/menu'] }),
    text: z
      .string()
      .min(1)
      .max(2953)
      .optional()
      .describe('Any other text. If both are given, `url` takes precedence.')
      .meta({ examples: ['Table 12'] }),
    format: z.enum(['svg', 'png', 'pdf']).default('svg').describe('Format of the picture.'),
    size: size.refine((pixels) => pixels <= 2048, 'must be at most 2048'),
    ...look,
  })
  .refine(({ url, text }) => url !== undefined || text !== undefined, {
    path: ['url'],
    message: 'Send `url` or `text`.',
  })
  .refine(({ url, text }) => (url ?? text ?? '').isWellFormed(), {
    path: ['url'],
    message: 'must be well-formed Unicode',
  });

/** The most bytes of an upload. */
export const maxLogoBytes = 5 * 1024 * 1024;

export const LogoView = z
  .object({
    id: z.uuid().describe('For `style.logo`.'),
    name: z
      .string()
      .nullable()
      .describe('A name to tell it by. Null: none was given.')
      .meta({ examples: ['Round logo'] }),
    width: z.int().describe('Pixels, at most 512.'),
    height: z.int(),
    codes: z.int().describe('Number of codes that use it.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'QrLogo', description: 'An uploaded logo.' });
export type LogoView = z.output<typeof LogoView>;

export const LogosView = z
  .object({ data: z.array(LogoView) })
  .meta({ id: 'QrLogoList', description: 'The uploaded logos, newest first.' });

export const LogoParams = idParams('logo');

/** The most characters of the name of a logo. */
export const maxLogoName = 80;

export const LogoQuery = z.strictObject({
  name: lineText(maxLogoName)
    .optional()
    .describe('A name to tell it by.')
    .meta({ examples: ['Café logo'] }),
});

export const SheetBody = z
  .strictObject({
    ids: z
      .array(z.uuid().toLowerCase())
      .min(1)
      .max(500)
      .optional()
      .describe('The codes to print, in this order.'),
    batch_id: z.uuid().toLowerCase().optional().describe('Prints the codes of a file instead.'),
    offset: z
      .int()
      .min(0)
      .max(maxBatchRows)
      .default(0)
      .describe('Number of codes to skip, such as those already printed.')
      .meta({ examples: [0] }),
    ...SheetOptions.shape,
  })
  .refine(({ ids, batch_id: batch }) => (ids === undefined) !== (batch === undefined), {
    path: ['ids'],
    message: 'Send either `ids` or `batch_id`.',
  })
  .refine(fitsPaper, wrongPaper)
  .meta({ id: 'CreateQrSheet', examples: [{ ids: [exampleId], paper: 'a4', layout: 'l7160' }] });
export type SheetBody = z.output<typeof SheetBody>;

export const ZipQuery = z.strictObject({
  format: z.enum(['svg', 'png']).default('svg').describe('Format of the pictures.'),
  size,
});
export type ZipQuery = z.output<typeof ZipQuery>;
