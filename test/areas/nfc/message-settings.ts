import type { MessageSettings } from '../../../src/areas/nfc/sdm/settings.ts';

/** The names of parameters in the URL of a tag. */
export const names = {
  picc_data: 'picc_data',
  uid: 'uid',
  counter: 'ctr',
  file_data: 'enc',
  mac: 'cmac',
  joined: null,
};

/** Settings of a tag that encrypts UID and counter, and mirrors no file data. */
export const settings = (over: Partial<MessageSettings> = {}): MessageSettings => ({
  encryption: 'aes',
  picc_data: 'encrypted',
  mirrored: 'uid_and_counter',
  file_data: 'none',
  file_data_length: 0,
  tamper_status: false,
  mac_input: 'nothing',
  parameters: names,
  ...over,
});

/** Settings of a tag that encrypts file data, too. */
export const encrypted = (over: Partial<MessageSettings> = {}): MessageSettings =>
  settings({ file_data: 'encrypted', file_data_length: 16, mac_input: 'file_data', ...over });
