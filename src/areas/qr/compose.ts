import { Worker } from 'node:worker_threads';
import { createLinkPasswords, type LinkPasswords } from '../../platform/crypto/link-passwords.ts';
import { createPasswordAttempts } from '../../platform/redis/password-attempts.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Dashboards } from '../analytics/figures/dashboard.ts';
import type { AnalyticsQueries } from '../analytics/figures/queries.ts';
import type { RecordLinkEvent } from '../analytics/ingest/link-events.ts';
import type { LinkSite } from '../analytics/sites/link-site.ts';
import type { Sites } from '../analytics/sites/sites.ts';
import type { Audit } from '../audit/service.ts';
import type { Geoip } from '../geoip/country-database.ts';
import { createBatchStore } from './batches/batch-store.ts';
import { createBatches } from './batches/batches.ts';
import { createCodeReader } from './codes/code-reader.ts';
import { createToView } from './codes/code-rows.ts';
import { createCodes } from './codes/codes.ts';
import { createScanCounts } from './codes/scan-counts.ts';
import { createScanStats } from './codes/stats.ts';
import { createFormerTargets } from './codes/targets.ts';
import { qrErrors } from './errors.ts';
import { createLogos } from './pictures/logos.ts';
import { createPictures } from './pictures/pictures.ts';
import { createPrints } from './pictures/prints.ts';
import { createReadability } from './reading/readability.ts';
import { createCodeLookup } from './scans/lookup.ts';
import { createRecording } from './scans/recording.ts';
import { createScanLimit } from './scans/scan-limit.ts';
import { createScans } from './scans/scans.ts';

export interface QrNeeds {
  audit: Audit;
  recordLinkEvent: RecordLinkEvent;
  sites: Sites;
  linkSite: LinkSite;
  queries: AnalyticsQueries;
  dashboards: Dashboards;
  geoip: Geoip;
  /** The built script of the thread that reads codes. */
  readerScript: URL;
}

const changeSignal = 'qr_code_changed';

const createPasswords = ({ keys }: Resources) =>
  createLinkPasswords(keys('qr-password'), () =>
    qrErrors.password_busy({ headers: { 'retry-after': '5' } }),
  );

function composePictures(
  { db, clock }: Resources,
  { audit, readerScript }: Pick<QrNeeds, 'audit' | 'readerScript'>,
) {
  const readability = createReadability({
    newReader: () => new Worker(readerScript, { execArgv: ['--enable-source-maps'] }),
  });
  const qrLogos = createLogos({ db, audit, clock });
  return {
    qrLogos,
    pictures: createPictures({ logos: qrLogos, readability }),
    /** Ends the thread that reads codes. */
    closeQrReader: () => readability.close(),
  };
}

type Pictures = ReturnType<typeof composePictures>;

function composeCodes(
  resources: Resources,
  { audit, sites, linkSite, queries, dashboards }: QrNeeds,
  { pictures, passwords }: Pick<Pictures, 'pictures'> & { passwords: LinkPasswords },
) {
  const { db, clock, bus, queues, logger, baseUrl, baseOrigin } = resources;
  const codes = createCodes({
    ...resources,
    audit,
    linkSite,
    passwords,
    pictures,
    counts: createScanCounts({ queries, sites, logger }),
    changed: (code) => bus.signal(changeSignal, code),
  });
  const qrCodes = codes.bound;
  const store = createBatchStore(db);
  const qrBatches = createBatches({ db, store, codes, audit, queues, clock, baseOrigin });
  const toView = createToView({ baseUrl, now: () => clock.now() });
  return {
    qrCodes,
    qrBatches,
    prints: createPrints({ pictures, reader: createCodeReader({ db, toView }), qrBatches }),
    formerTargets: createFormerTargets({ db, qrCodes }),
    scanStats: createScanStats({ qrCodes, dashboards }),
  };
}

/** QR codes as a resource, their pictures, and what happens when one is scanned. */
export function composeQr(resources: Resources, needs: QrNeeds) {
  const { db, redis, bus, keys, clock, logger, baseUrl } = resources;
  const { recordLinkEvent, geoip } = needs;
  const pictures = composePictures(resources, needs);
  // One for both, because it limits how many hashes run at once.
  const passwords = createPasswords(resources);
  const lookup = createCodeLookup({
    db,
    logger,
    now: () => clock.now(),
    listen: () => bus.listen(),
  });
  bus.onSignal(changeSignal, (code) => lookup.forget(code));
  return {
    ...pictures,
    ...composeCodes(resources, needs, { ...pictures, passwords }),
    openCode: createScans({
      lookup,
      limit: createScanLimit(db),
      record: createRecording({ recordLinkEvent, baseUrl }),
      passwords,
      attempts: createPasswordAttempts(redis, keys('qr-password-tries'), 'qr'),
      clock,
      country: (ip) => geoip.country(ip),
    }),
  };
}
