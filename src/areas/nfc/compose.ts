import { createSeal, type Seal } from '../../lib/secrets/seal.ts';
import { bindResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { AnalyticsContext } from '../analytics/compose.ts';
import type { Audit } from '../audit/service.ts';
import { createAlarms } from './alarms/service.ts';
import { createEncoding } from './encoding/service.ts';
import { defineAlarmCleanup } from './jobs.ts';
import { createMasterKeys, type MasterKeys } from './keys/service.ts';
import { createTagKeys, type TagKeys } from './keys/tag-keys.ts';
import { nfcAlarmResource } from './alarms/resource.ts';
import { nfcTagResource } from './tags/resource.ts';
import { createTags } from './tags/service.ts';
import { createTagStore, type TagStore } from './tags/store.ts';
import { createTaps } from './taps/service.ts';
import { createTapFigures } from './taps/figures.ts';
import { createTapTokens } from './taps/tokens.ts';

interface NfcNeeds extends Pick<
  AnalyticsContext,
  'recordLinkEvent' | 'linkSite' | 'sites' | 'queries' | 'dashboards'
> {
  audit: Audit;
}

/** What the services of NFC tags are made from. */
export interface NfcParts extends Resources, NfcNeeds {
  store: TagStore;
  seal: Seal;
  masterKeys: MasterKeys;
  tagKeys: TagKeys;
}

/** NFC tags, their keys, taps and alarms. */
export function composeNfc(resources: Resources, needs: NfcNeeds) {
  const seal = createSeal(resources.keys('nfc-keys'));
  const masterKeys = createMasterKeys({ ...resources, ...needs, seal });
  const parts: NfcParts = {
    ...resources,
    ...needs,
    seal,
    store: createTagStore(resources.db),
    masterKeys,
    tagKeys: createTagKeys({ masterKeys, seal }),
  };
  const tags = createTags(parts);
  defineAlarmCleanup(resources);
  return {
    nfcTags: bindResource(nfcTagResource, tags),
    nfcAlarms: bindResource(nfcAlarmResource, createAlarms(parts)),
    nfc: {
      tags,
      masterKeys,
      encoding: createEncoding(parts),
      taps: createTaps(parts),
      figures: createTapFigures(parts),
      tapTokens: createTapTokens(parts),
    },
  };
}

/** The services of NFC tags: what their operations run with. */
export type NfcContext = ReturnType<typeof composeNfc>;
