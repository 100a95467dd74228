import { consolePath } from '../../../lib/site-paths.ts';

/** The list of alarms of NFC tags. */
export const alarmsPath = `${consolePath}records/nfc-alarms`;
