import type { RecordLinkEvent } from '../../analytics/ingest/link-events.ts';
import type { RecordTap } from './routes.ts';

/** The event of a tap that counted. */
const tapEvent = 'nfc_tap';

export interface TapRecordingOptions {
  recordLinkEvent: RecordLinkEvent;
  baseUrl: string;
  /** The site whose figures count the taps: the service itself. */
  siteId: string;
}

/** Creates the function that records a tap. It resolves once the event is on disk. */
export const createTapRecording =
  ({ recordLinkEvent, baseUrl, siteId }: TapRecordingOptions): RecordTap =>
  (request, { code, result }) =>
    recordLinkEvent(request, {
      event: tapEvent,
      url: `${baseUrl}/n/${code}`,
      site_id: siteId,
      tag: code,
      props: { result },
    });
