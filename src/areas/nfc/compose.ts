import { createSeal } from '../../lib/secrets/seal.ts';
import { bindResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { RecordLinkEvent } from '../analytics/ingest/link-events.ts';
import type { LinkSite } from '../analytics/sites/link-site.ts';
import type { Audit } from '../audit/service.ts';
import { createAlarmRaising, createAlarms } from './alarms/service.ts';
import { createReencoding } from './encoding/reencoding.ts';
import { createEncoding } from './encoding/service.ts';
import { defineAlarmCleanup } from './jobs.ts';
import { createMasterKeys } from './keys/master-keys.ts';
import { createTagKeys } from './keys/tag-keys.ts';
import { nfcAlarmResource, nfcTagResource } from './resource.ts';
import { createTags } from './tags/service.ts';
import { createTagStore } from './tags/store.ts';
import { createTapRecording } from './taps/recording.ts';
import { createTaps } from './taps/service.ts';
import { createTapTokens } from './taps/tokens.ts';

interface Needs {
  audit: Audit;
  recordLinkEvent: RecordLinkEvent;
  linkSite: LinkSite;
}

/** NFC tags, their keys, taps and alarms. */
export function composeNfc(resources: Resources, { audit, recordLinkEvent, linkSite }: Needs) {
  const { db, clock, keys, logger, queues, baseUrl, baseOrigin } = resources;
  const store = createTagStore(db);
  const seal = createSeal(keys('nfc-keys'));
  const admin = { db, clock, keys, audit };
  const masterKeys = createMasterKeys({ db, clock, seal, audit });
  const tagKeys = createTagKeys({ masterKeys, seal });
  const shared = { ...admin, store, masterKeys, seal, baseUrl, baseOrigin };
  defineAlarmCleanup({ queues, db, clock });
  return {
    nfcMasterKeys: masterKeys,
    nfcTags: bindResource(nfcTagResource, createTags({ ...shared, linkSite })),
    nfcAlarms: bindResource(nfcAlarmResource, createAlarms(admin)),
    nfcEncoding: createEncoding({ ...shared, tagKeys }),
    reencodeTag: createReencoding({ ...shared, tagKeys }),
    nfcTaps: createTaps({
      store,
      tagKeys,
      alarms: createAlarmRaising({ db, clock }),
      keys,
      clock,
      logger,
    }),
    nfcTapTokens: createTapTokens({ keys, clock, issuer: baseUrl }),
    recordTap: createTapRecording({
      recordLinkEvent,
      baseUrl,
      ownSite: new URL(baseOrigin).hostname,
    }),
  };
}

export type NfcServices = ReturnType<typeof composeNfc>;
