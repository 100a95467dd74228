import { z } from 'zod';
import { noControls } from '../../../lib/text/text-patterns.ts';
import { isPagePattern, toStoredPattern } from '../enrichment/typed-paths.ts';
import { lineText, wellFormed } from '../../../platform/validation/text-schemas.ts';
import { type Step, stepKinds } from '../store/queries.ts';
import { measurements } from '../store/events.ts';
import {
  EventFilterText,
  parseFilters,
  hasFewPatterns,
  tooManyPatterns,
} from '../figures/filters.ts';
import { SiteParams } from '../sites/schemas.ts';

const plain = (schema: z.ZodString): z.ZodString =>
  wellFormed(schema.regex(noControls, 'must not have control characters'));

const maxStars = 10;
const hasFewStars = (text: string): boolean => text.split('*').length - 1 <= maxStars;

/** The name of a goal, a funnel or a step. */
export const Name = lineText(100);

const isReachable = ({ kind, value }: { kind: string; value: string }): boolean =>
  kind === 'page' ? isPagePattern(value) : value !== 'pageview' && !measurements.has(value);

export const stepShape = {
  kind: z.enum(stepKinds).describe('`page`: a page view; `event`: a custom event.'),
  value: plain(z.string().min(1).max(2000))
    .refine(hasFewStars, `must not have more than ${maxStars} *`)
    .describe(
      'Path of the page, or name of the event. `*` matches any text: `/blog/*`. A path may be ' +
        'unencoded (`/über-uns`), or an absolute URL.',
    ),
  filters: z
    .array(plain(EventFilterText))
    .max(10)
    .refine(hasFewPatterns, tooManyPatterns)
    .default([])
    .describe(
      'Filters on the event, in the same format as dashboard filters; all must match. ' +
        'Dimensions: event, page, hostname, title, tag, user_id and props.NAME, as in ' +
        '`props.plan:is:pro`.',
    ),
};

/** Rejects steps that no event can take. */
export const reachable: [typeof isReachable, { path: string[]; error: string }] = [
  isReachable,
  {
    path: ['value'],
    error:
      'must begin with / or *, or be an absolute URL, for a page, ' +
      'and must not be pageview, engagement or web_vitals for an event',
  },
];

/** A step as stored. */
export const StoredStep = z.object({
  kind: z.enum(stepKinds),
  value: z.string(),
  filters: z.array(z.string()),
});
export type StoredStep = z.output<typeof StoredStep>;

/** Converts a step, stored as it was written, to a step of a store query. */
export const toStep = ({ kind, value, filters }: StoredStep): Step => ({
  kind,
  value: kind === 'page' ? toStoredPattern(value) : value,
  filters: parseFilters(filters),
});

export const DefinitionParams = SiteParams.extend({ id: z.uuid() });
export const RenameBody = z
  .strictObject({ name: Name })
  .meta({ id: 'RenameAnalyticsDefinition', examples: [{ name: 'Bought something' }] });
