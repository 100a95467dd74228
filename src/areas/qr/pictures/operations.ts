import { z } from 'zod';
import { attachment } from '../../../lib/net/header-text.ts';
import { sendCacheable } from '../../../platform/http/etag.ts';
import type { HttpCall } from '../../../platform/operations/call.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import { BatchParams } from '../batches/schemas.ts';
import { CodeParams } from '../codes/schemas.ts';
import type { QrContext } from '../compose.ts';
import { QrStyle } from '../drawing/style.ts';
import { qrErrors } from '../errors.ts';
import {
  AnyPictureQuery,
  LogoParams,
  LogoQuery,
  LogosView,
  LogoView,
  maxLogoBytes,
  PictureQuery,
  SheetBody,
  ZipQuery,
} from './schemas.ts';
import { type PictureFormat, pictureTypes } from './service.ts';
import { usesPublicSlots } from './public-slots.ts';

type Reply = HttpCall['reply'];

const common = { scope: 'admin', tag: 'qr-pictures', noStore: false } as const;
const operation = operationsOf<QrContext>(common);

const binary = z.any().meta({ type: 'string', format: 'binary', examples: ['(file)'] });
const svg = z.string().meta({ examples: ['<svg …></svg>'] });

/** The response of a route that sends a file. */
const fileOf = (description: string, content: Record<string, z.ZodType>) => ({
  response: {
    200: {
      description,
      content: Object.fromEntries(
        Object.entries(content).map(([type, schema]) => [type, { schema }]),
      ),
    },
  },
});

const pictureErrors = ['qr.too_long', 'qr.unreadable', 'qr.busy'] as const;

const hex = (color: string): string => (color.startsWith('#') ? color : `#${color}`);

/** A style with what a query changes. */
function styleOf(
  style: QrStyle,
  { level, fgColor, bgColor, margin, hideLogo }: Omit<PictureQuery, 'size'>,
): QrStyle {
  return {
    ...style,
    ...(level !== undefined && { level }),
    ...(fgColor !== undefined && { foreground: hex(fgColor) }),
    ...(bgColor !== undefined && { background: hex(bgColor) }),
    ...(margin !== undefined && { margin }),
    ...(hideLogo === true && { logo: null }),
  };
}

// A file that is opened by itself must not run anything.
const sandbox = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

/** Pictures of any text, for everybody. */
export const anyPictureOperations = [
  operation({
    scope: 'identified',
    id: 'qr.draw',
    path: 'GET /api/v1/qr',
    summary: 'Draw a QR code',
    description:
      'A QR code for a URL or any other text, which is neither stored nor counted. At most 60 ' +
      'a minute from one address, and 2,048 pixels. With an API key, or the token of a user ' +
      'with a role, it does not queue with anonymous requests.',
    limit: limited({ max: 60, seconds: 60 }),
    query: AnyPictureQuery,
    errors: pictureErrors,
    schema: fileOf('The picture.', {
      [pictureTypes.svg]: svg,
      [pictureTypes.png]: binary,
      [pictureTypes.pdf]: binary,
    }),
    async run({ qr }, { url, text, format, size, ...look }, { request, reply }) {
      const picture = await qr.pictures.drawAny(
        { text: url ?? text ?? '', style: styleOf(plain, look) },
        { format, size },
        usesPublicSlots(request.principal),
      );
      void reply.header('content-security-policy', sandbox);
      return sendCacheable(request, reply, picture);
    },
  }),
];

const plain = QrStyle.parse({});

const picture = (format: PictureFormat) => ({
  summary: `Get a picture (${format.toUpperCase()})`,
  description:
    'In the style of the code, with the changes in the query. Two decoders must be able to ' +
    'read a styled picture before it is sent.',
  limit: limited({ max: 300, seconds: 60, failOpen: true }),
  params: CodeParams,
  query: PictureQuery,
  errors: ['qr.not_found', ...pictureErrors],
  schema: fileOf('The picture.', { [pictureTypes[format]]: format === 'svg' ? svg : binary }),
  async run(
    { qr }: QrContext,
    { id, size, download = false, ...look }: PictureQuery & { id: string },
    { reply }: HttpCall,
  ): Promise<Reply> {
    const { name, code, text, style } = await qr.codes.get(id);
    const pictured = { text, style: styleOf(style, look) };
    const bytes = await qr.pictures.draw(pictured, { format, size, title: name });
    if (download) void reply.header('content-disposition', attachment(`${code}.${format}`));
    return reply
      .header('cache-control', 'private, no-cache')
      .header('content-type', pictureTypes[format])
      .header('content-security-policy', sandbox)
      .send(bytes);
  },
});

/** Pictures of stored codes, for admins. */
export const pictureOperations = [
  operation({
    id: 'qrCodes.get_svg',
    path: 'GET /api/v1/qr-codes/:id/image.svg',
    ...picture('svg'),
  }),
  operation({
    id: 'qrCodes.get_png',
    path: 'GET /api/v1/qr-codes/:id/image.png',
    ...picture('png'),
  }),
  operation({
    id: 'qrCodes.get_pdf',
    path: 'GET /api/v1/qr-codes/:id/image.pdf',
    ...picture('pdf'),
  }),
];

const asFile = (reply: Reply, type: string, name: string): Reply =>
  reply
    .header('content-type', type)
    .header('content-disposition', attachment(name))
    .header('cache-control', 'private, no-store');

/** Files with many codes, for admins. */
export const printOperations = [
  operation({
    id: 'qrCodes.print_sheet',
    path: 'POST /api/v1/qr-codes/sheet',
    summary: 'Print a sheet of codes',
    description:
      'A PDF with the codes on labels or in a grid, with names and short links. ' +
      'At most 500 codes. Print it at 100%, without fitting it to the page.',
    limit: resourceLimits.file,
    body: SheetBody,
    errors: ['qr.batch_not_found', 'qr.batch_running'],
    schema: fileOf('The sheet.', { 'application/pdf': binary }),
    async run({ qr }, body, { reply }) {
      const sheet = await qr.prints.sheet(body);
      return asFile(reply, 'application/pdf', 'qr-codes.pdf').send(sheet);
    },
  }),
  operation({
    id: 'qrCodes.get_batch_images',
    path: 'GET /api/v1/qr-batches/:id/images.zip',
    summary: 'Get the pictures for a file of codes',
    description: 'A zip archive with a picture for each code, named after it.',
    limit: resourceLimits.file,
    params: BatchParams,
    query: ZipQuery,
    errors: ['qr.batch_not_found', 'qr.batch_running'],
    schema: fileOf('The archive.', { 'application/zip': binary }),
    async run({ qr }, { id, ...query }, { reply }) {
      const archive = await qr.prints.zip(id, query);
      return asFile(reply, 'application/zip', `qr-codes-${id.slice(0, 8)}.zip`).send(archive);
    },
  }),
];

const image = z.any().meta({ type: 'string', format: 'binary', examples: ['(file)'] });
const logoOperation = operationsOf<QrContext>({ ...common, accepts: 'bytes' });

/** Logos, for admins. */
export const logoOperations = [
  logoOperation({
    id: 'qrCodes.add_logo',
    path: 'POST /api/v1/qr-logos',
    summary: 'Upload a logo',
    description:
      'A PNG, JPEG or WebP picture of at most 5 MB and 40 million pixels. It is reduced to ' +
      '512 pixels, and its metadata is removed. At most 200 logos.',
    limit: limited({ max: 30, seconds: 300 }),
    route: { bodyLimit: maxLogoBytes },
    schema: { consumes: ['image/png', 'image/jpeg', 'image/webp'], rawBody: image },
    query: LogoQuery,
    output: LogoView,
    errors: ['qr.logo_type', 'qr.logo_unreadable', 'qr.too_many_logos', 'qr.busy'],
    run: ({ qr }, { name }, { request: { body }, by }) =>
      qr.logos.add(Buffer.isBuffer(body) ? body : Buffer.alloc(0), by, name),
  }),
  logoOperation({
    id: 'qrCodes.list_logos',
    path: 'GET /api/v1/qr-logos',
    summary: 'List logos',
    description: 'All uploaded logos, newest first; at most 200.',
    limit: resourceLimits.read,
    output: LogosView,
    run: async ({ qr }) => ({ data: await qr.logos.list() }),
  }),
  logoOperation({
    id: 'qrCodes.get_logo',
    path: 'GET /api/v1/qr-logos/:id',
    summary: 'Get a logo',
    description: 'The picture, as PNG without metadata.',
    limit: resourceLimits.read,
    params: LogoParams,
    errors: ['qr.logo_not_found'],
    schema: fileOf('The logo.', { 'image/png': image }),
    async run({ qr }, { id }, { reply }) {
      const logo = await qr.logos.find(id);
      if (logo === undefined) throw qrErrors.logo_not_found();
      return reply
        .header('content-type', 'image/png')
        .header('cache-control', 'private, max-age=86400, immutable')
        .send(Buffer.from(logo.png));
    },
  }),
  logoOperation({
    id: 'qrCodes.delete_logo',
    path: 'DELETE /api/v1/qr-logos/:id',
    summary: 'Delete a logo',
    description: 'Only a logo that no code uses can be deleted.',
    limit: resourceLimits.write,
    params: LogoParams,
    status: 204,
    errors: ['qr.logo_not_found', 'qr.logo_used'],
    run: ({ qr }, { id }, { by }) => qr.logos.delete(id, by),
  }),
];
