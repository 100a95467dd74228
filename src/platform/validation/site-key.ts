import { z } from 'zod';
import { oneLine } from '../../lib/text/text-patterns.ts';

/** Clients resolve dot segments in paths (RFC 3986 §5.2.4), so they can't be site ids. */
export const isSegment = (site: string): boolean => site !== '.' && site !== '..';
export const noSegment = 'must not be . or ..';

/**
 * The public id of a site, for events as for paths of sites: otherwise an event could register a
 * site that can't be managed. SQL replaces lone surrogates, so that several keys would mean the
 * same site.
 */
export const SiteKey = z
  .string()
  .max(64)
  .regex(oneLine)
  .trim()
  .min(1)
  .refine((site) => site.isWellFormed(), 'must be well-formed Unicode, without lone surrogates')
  .refine(isSegment, noSegment);
