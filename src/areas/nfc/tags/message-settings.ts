import type { Chip } from '../chips.ts';
import { type GivenSettings, MessageSettings, ParameterNames } from '../sdm/settings.ts';
import type { TagRow } from '../tables.ts';

/** The names of parameters in the URL of a new tag. */
export const defaultParameters = ParameterNames.parse({});

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

/** The settings of a stored tag; undefined for one that signs nothing. */
export const settingsOf = (row: TagRow): MessageSettings | undefined =>
  row.encryption === null ? undefined : MessageSettings.parse(row);
