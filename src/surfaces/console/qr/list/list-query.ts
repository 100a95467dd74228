import { z } from 'zod';
import { qrCodeFilters } from '../../../../areas/qr/schemas.ts';
import { done, find } from '../../schemas.ts';

const text = z.string().max(255).optional().catch(undefined);

/** What the list can be narrowed by, as URLs and its form have it. Unknown values are left out. */
export const ListFilters = z.object({
  type: qrCodeFilters.type.optional().catch(undefined),
  active: z.enum(['true', 'false']).optional().catch(undefined),
  site_id: text,
  utm_campaign: text,
  batch_id: qrCodeFilters.batch_id.optional().catch(undefined),
  logo: qrCodeFilters.logo.optional().catch(undefined),
  sort: z.enum(['-created_at', '-updated_at', 'name']).optional().catch(undefined),
});
export type ListFilters = z.output<typeof ListFilters>;

const ids = z
  .union([z.uuid().transform((id) => [id]), z.array(z.uuid()).max(50)])
  .optional()
  .catch(undefined);

export const ListPageQuery = ListFilters.extend({
  done,
  find,
  cursor: z.string().max(2000).optional(),
  /** The codes that were just changed, to undo it. */
  changed: ids,
});

/** The filters that are set, for the service. */
export const selectionOf = ({ active, ...others }: ListFilters): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...others, active: active && active === 'true' }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  );
