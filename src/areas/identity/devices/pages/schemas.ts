import { z } from 'zod';

// Longer than any path that redirects accept: too long a path is ignored like a foreign one, and
// must not fail the request.
const next = z.string().max(16_384).default('');
const done = z
  .string()
  .max(32)
  .optional()
  .meta({ examples: ['approved'] });

/** One line of text: line breaks and control characters become spaces. */
const line = (maxLength: number) =>
  z
    .string()
    .max(4096)
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string().max(maxLength));

export const DevicesQuery = z.object({
  next: next
    .describe('Path on this service to redirect to once the device is approved.')
    .meta({ examples: ['/account'] }),
  done,
});
export const RequestsQuery = z.object({ done });

export const AskForm = z.object({
  reason: line(280),
  name: line(64).default(''),
  fingerprint: z.string().max(512).default(''),
  next,
});
export const RestoreForm = z.object({ id: z.uuid(), next });
export const DeviceForm = z.object({ id: z.uuid() });
export const RenameForm = z.object({ id: z.uuid(), name: line(64) });
export const RequestParams = z.object({ id: z.uuid() });
export const ApproveForm = z.object({ number: z.string().max(64), note: line(280) });
export const DenyForm = z.object({ note: line(280) });

/** The response of a page in the OpenAPI document. */
export const HtmlPage = { content: { 'text/html': { schema: z.string() } } };
