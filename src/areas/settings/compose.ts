import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createBrandSettings } from './brand.ts';
import type { CurrentBrand } from './current-brand.ts';

/** Settings that admins change while the service runs: the brand. */
export const composeSettings = (
  resources: Resources,
  needs: { audit: Audit; current: CurrentBrand },
) => ({
  currentBrand: needs.current,
  brandSettings: createBrandSettings({ ...resources, ...needs }),
});

/** What the operations of settings run with. */
export type SettingsContext = ReturnType<typeof composeSettings>;
