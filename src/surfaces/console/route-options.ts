import type { z } from 'zod';
import { redirectResponse } from '../../platform/ui/page-scope.ts';
import { formLimit, pageLimit } from './rate-limits.ts';
import { HtmlPage } from './schemas.ts';

const tags = ['pages'];

/** Maximum bytes of a form: fits the longest text with every character percent-encoded. */
export const formBodyLimit = 128 * 1024;

/** The redirects of a page, for the API reference. */
const redirects = redirectResponse(
  'Not signed in, or the device is not approved: redirect to the page for it.',
);

interface PageSchema {
  description: string;
  querystring?: z.ZodType;
  params?: z.ZodType;
  /** Codes of errors, besides those of the guards. */
  errors?: string[];
}

/** Options of a page that the API reference lists. */
export const page = <Schema extends PageSchema>(
  operationId: string,
  summary: string,
  schema: Schema,
) => ({
  config: pageLimit,
  schema: { operationId, summary, tags, response: { 200: HtmlPage, ...redirects }, ...schema },
});

/** Options of a page within a section, which the API reference leaves out. */
export const innerPage = <Schema extends Omit<PageSchema, 'description'>>(
  operationId: string,
  summary: string,
  schema: Schema,
) => ({
  config: pageLimit,
  schema: { operationId, summary, tags, hide: true, response: { 200: HtmlPage }, ...schema },
});

/** Options of a form that changes something. */
export const form = <Schema extends { params?: z.ZodType; body?: z.ZodType }>(
  operationId: string,
  summary: string,
  schema: Schema,
) => ({
  bodyLimit: formBodyLimit,
  config: formLimit,
  schema: { operationId, summary, tags, hide: true, ...schema },
});

/** Options of a search form, which leads to a page of results. */
export const searchForm = <Schema extends { body: z.ZodType }>(
  operationId: string,
  summary: string,
  schema: Schema,
) => ({ ...form(operationId, summary, schema), config: pageLimit });
