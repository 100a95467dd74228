import { Worker } from 'node:worker_threads';
import { createLinkPasswords, type LinkPasswords } from '../../platform/crypto/link-passwords.ts';
import { createPasswordAttempts } from '../../platform/redis/password-attempts.ts';
import type { Resources } from '../../platform/resources.ts';
import type { AnalyticsContext } from '../analytics/compose.ts';
import type { RecordLinkEvent } from '../analytics/ingest/link-events.ts';
import type { Audit } from '../audit/service.ts';
import type { Geoip } from '../geoip/country-database.ts';
import { createBatches } from './batches/service.ts';
import { createCodes } from './codes/service.ts';
import { createScanStats } from './codes/stats.ts';
import { createFormerTargets } from './codes/targets.ts';
import { qrErrors } from './errors.ts';
import { createLogos } from './pictures/logos.ts';
import { createPrints } from './pictures/prints.ts';
import { createPictures, type Pictures } from './pictures/service.ts';
import { createReadability } from './reading/readability.ts';
import { type CodeLookup, createCodeLookup } from './scans/lookup.ts';
import { createRecordScan } from './scans/recording.ts';
import { createScanLimit } from './scans/scan-limit.ts';
import { createScans } from './scans/service.ts';

interface QrNeeds extends Pick<AnalyticsContext, 'sites' | 'linkSite' | 'queries' | 'dashboards'> {
  recordLinkEvent: RecordLinkEvent;
  audit: Audit;
  geoip: Geoip;
  /** The built script of the thread that reads codes. */
  readerScript: URL;
}

/** What the services of QR codes are made from. */
export interface QrParts extends Resources, QrNeeds {
  pictures: Pictures;
  passwords: LinkPasswords;
  lookup: CodeLookup;
}

const passwordsBusy = () => qrErrors.password_busy({ headers: { 'retry-after': '5' } });

/** QR codes as a resource, their pictures, and what happens when one is scanned. */
export function composeQr(resources: Resources, needs: QrNeeds) {
  const { db, redis, keys } = resources;
  const needed = { ...resources, ...needs };
  const readability = createReadability({
    newReader: () => new Worker(needs.readerScript, { execArgv: ['--enable-source-maps'] }),
  });
  const logos = createLogos(needed);
  const parts: QrParts = {
    ...needed,
    pictures: createPictures({ logos, readability }),
    // One for codes and scans, because it limits how many hashes run at once.
    passwords: createLinkPasswords(keys('qr-password'), passwordsBusy),
    lookup: createCodeLookup(needed),
  };
  const codes = createCodes(parts);
  const batches = createBatches({ ...parts, codes });
  return {
    qrCodes: codes.bound,
    qr: {
      codes,
      trends: codes.trends,
      batches,
      logos,
      pictures: parts.pictures,
      prints: createPrints({ ...parts, batches }),
      targets: createFormerTargets({ ...parts, codes }),
      stats: createScanStats({ ...parts, codes }),
      scans: createScans({
        ...parts,
        scanLimit: createScanLimit(db),
        record: createRecordScan(parts),
        attempts: createPasswordAttempts(redis, keys('qr-password-tries'), 'qr'),
      }),
      /** Ends the thread that reads codes. */
      close: (): Promise<void> => readability.close(),
    },
  };
}

/** The services of QR codes: what their operations run with. */
export type QrContext = ReturnType<typeof composeQr>;
