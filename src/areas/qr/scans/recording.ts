import type { LinkRequest } from '../../analytics/ingest/link-events.ts';
import type { QrParts } from '../compose.ts';
import { scanEvent } from '../events.ts';
import type { ScannedCode } from './lookup.ts';
import { withCampaign } from '../target-choice.ts';
import { ruleProperty } from '../rule-prop.ts';

/** The event of an opened link, such as one from a message. */
const clickEvent = 'qr_link';

/** Where a scan leads. */
export type ScanResult = 'target' | 'expired_url';

/**
 * Creates the function that records a scan. It resolves once the event is on disk. `rule`: which
 * one chose the target, for codes that have rules.
 */
export const createRecordScan =
  ({ recordLinkEvent, baseUrl }: Pick<QrParts, 'recordLinkEvent' | 'baseUrl'>) =>
  (
    request: LinkRequest,
    code: ScannedCode,
    { isScan, result, rule }: { isScan: boolean; result: ScanResult; rule?: string | undefined },
  ): Promise<void> =>
    recordLinkEvent(request, {
      event: isScan ? scanEvent : clickEvent,
      url: withCampaign(`${baseUrl}/q/${code.code}`, code),
      site_id: code.site_id,
      tag: code.code,
      props: rule === undefined ? { result } : { result, [ruleProperty]: rule },
    });

export type RecordScan = ReturnType<typeof createRecordScan>;
