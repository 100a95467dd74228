import { createLinkPasswords } from '../../platform/crypto/link-passwords.ts';
import { createPasswordAttempts } from '../../platform/redis/password-attempts.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Ingest } from '../analytics/ingest/ingest.ts';
import type { AnalyticsQueries } from '../analytics/figures/queries.ts';
import type { Dashboards } from '../analytics/figures/dashboard.ts';
import type { Sites } from '../analytics/sites/sites.ts';
import type { Audit } from '../audit/service.ts';
import type { Geoip } from '../geoip/country-database.ts';
import { createBatchStore } from './batches/batch-store.ts';
import { createBatches } from './batches/batches.ts';
import { createCodes } from './codes/codes.ts';
import { createScanCounts } from './codes/scan-counts.ts';
import { createScanStats } from './codes/stats.ts';
import { createFormerTargets } from './codes/targets.ts';
import { qrErrors } from './errors.ts';
import { createCodeLookup } from './scans/lookup.ts';
import { createRecording } from './scans/recording.ts';
import { createScanLimit } from './scans/scan-limit.ts';
import { createScans } from './scans/scans.ts';

export interface QrNeeds {
  audit: Audit;
  ingest: Ingest;
  sites: Sites;
  queries: AnalyticsQueries;
  dashboards: Dashboards;
  geoip: Geoip;
}

const changeSignal = 'qr_code_changed';

/** QR codes as a resource, and what happens when one is scanned. */
export function composeQr(
  { db, redis, bus, queues, keys, clock, logger, baseUrl, baseOrigin }: Resources,
  { audit, ingest, sites, queries, dashboards, geoip }: QrNeeds,
) {
  const passwords = createLinkPasswords(keys('qr-password'), () =>
    qrErrors.password_busy({ headers: { 'retry-after': '5' } }),
  );
  const lookup = createCodeLookup({ db, logger, now: () => clock.now() });
  bus.onSignal(changeSignal, lookup.forget);
  const codes = createCodes({
    db,
    clock,
    keys,
    baseUrl,
    baseOrigin,
    audit,
    sites,
    passwords,
    checkPicture: async () => undefined,
    counts: createScanCounts({ queries, sites, logger }),
    changed: (code) => bus.signal(changeSignal, code),
  });
  const qrCodes = codes.bound;
  return {
    qrCodes,
    qrBatches: createBatches({
      db,
      store: createBatchStore(db),
      codes,
      audit,
      queues,
      clock,
      baseOrigin,
    }),
    formerTargets: createFormerTargets({ db, qrCodes }),
    scanStats: createScanStats({ qrCodes, dashboards }),
    openCode: createScans({
      lookup,
      limit: createScanLimit(db),
      record: createRecording({ ingest, baseUrl, logger }),
      passwords,
      attempts: createPasswordAttempts(redis, keys('qr-password-tries'), 'qr'),
      clock,
      country: (ip) => geoip.country(ip),
    }),
  };
}
