import type { z } from 'zod';
import { formLimit } from './rate-limits.ts';

/** The section of the API reference. */
export const tags = ['pages'];

/** Maximum bytes of a form: fits the longest text with every character percent-encoded. */
export const formBodyLimit = 128 * 1024;

interface FormSchema {
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
}

/** Options of a form that changes something. */
export const formOptions = <Schema extends FormSchema>(
  operationId: string,
  summary: string,
  schema: Schema,
) => ({
  bodyLimit: formBodyLimit,
  config: formLimit,
  schema: { operationId, summary, tags, hide: true, ...schema },
});
