import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createBrandSettings } from './brand.ts';
import type { CurrentBrand } from './current-brand.ts';
import type { CurrentLive } from './current-live.ts';
import { createLiveSettings } from './live.ts';

/** Settings that admins change while the service runs: the brand, and who may do what. */
export const composeSettings = (
  resources: Resources & { currentBrand: CurrentBrand; currentLive: CurrentLive },
  { audit }: { audit: Audit },
) => {
  const { currentBrand, currentLive } = resources;
  return {
    currentBrand,
    currentLive,
    brandSettings: createBrandSettings({ ...resources, audit, current: currentBrand }),
    liveSettings: createLiveSettings({ ...resources, audit }),
  };
};

/** What the operations of settings run with. */
export type SettingsContext = ReturnType<typeof composeSettings>;
