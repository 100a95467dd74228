import type { GivenSettings } from '../../../src/areas/nfc/sdm/settings.ts';
import { newSettings } from '../../../src/areas/nfc/tags/message-settings.ts';

/** Settings of a tag that encrypts UID and counter, and mirrors no file data. */
export const settings = (given: GivenSettings = {}) => newSettings('ntag424', given);

/** Settings of a tag that encrypts file data, too. */
export const encrypted = (given: GivenSettings = {}) =>
  settings({ file_data: 'encrypted', ...given });
