import type { Chip } from '../chips.ts';
import type { NfcTagBody } from '../schemas.ts';
import type { MessageSettings, ParameterNames } from '../sdm/settings.ts';
import type { TagRow } from '../tables.ts';

/** What a person may choose; the rest follows from it and from the chip. */
export type GivenSettings = Partial<
  Pick<
    NfcTagBody,
    | 'encryption'
    | 'picc_data'
    | 'mirrored'
    | 'file_data'
    | 'file_data_length'
    | 'mac_input'
    | 'parameters'
  >
>;

/** The names of parameters in the URL of a new tag. */
export const defaultParameters: ParameterNames = {
  picc_data: 'picc_data',
  uid: 'uid',
  counter: 'ctr',
  file_data: 'enc',
  mac: 'cmac',
  joined: null,
};

/** The settings of a new message: what is given, and defaults that fit it and the chip. */
export function newSettings(chip: Chip, given: GivenSettings): MessageSettings {
  const hasLoop = chip === 'ntag424_tt';
  const fileData = given.file_data ?? (hasLoop ? 'encrypted' : 'none');
  const hasData = fileData !== 'none';
  return {
    encryption: given.encryption ?? 'aes',
    picc_data: given.picc_data ?? 'encrypted',
    mirrored: given.mirrored ?? 'uid_and_counter',
    file_data: fileData,
    file_data_length: given.file_data_length ?? (hasData ? 16 : 0),
    tamper_status: hasLoop && hasData,
    mac_input: given.mac_input ?? (hasData ? 'file_data' : 'nothing'),
    parameters: given.parameters ?? defaultParameters,
  };
}

type SettingsRow = Pick<TagRow, keyof MessageSettings>;

/** The settings of a stored tag; undefined for one that signs nothing. */
export function settingsOf(row: SettingsRow): MessageSettings | undefined {
  const { encryption, picc_data, mirrored, file_data, file_data_length } = row;
  const { tamper_status, mac_input, parameters } = row;
  if (
    encryption === null ||
    picc_data === null ||
    mirrored === null ||
    file_data === null ||
    file_data_length === null ||
    tamper_status === null ||
    mac_input === null ||
    parameters === null
  )
    return undefined;
  return {
    encryption,
    picc_data,
    mirrored,
    file_data,
    file_data_length,
    tamper_status,
    mac_input,
    parameters,
  };
}
