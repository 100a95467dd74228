/** What a tag mirrors into its URL. */
type MirroredKind = 'uid_and_counter' | 'uid' | 'counter';

/** Names of query parameters. */
export interface ParameterNames {
  picc_data: string;
  uid: string;
  counter: string;
  file_data: string;
  mac: string;
  /** One parameter with everything in it, in place of the others. */
  joined: string | null;
}

/** How an NTAG 424 writes its secure dynamic message. */
export interface MessageSettings {
  encryption: 'aes' | 'lrp';
  picc_data: 'encrypted' | 'plain';
  mirrored: MirroredKind;
  file_data: 'none' | 'plain' | 'encrypted';
  /** Bytes of the file data; a multiple of 16 if it is encrypted. */
  file_data_length: number;
  /** Whether the file data starts with the state of the tamper loop: two characters. */
  tamper_status: boolean;
  /** Where the text begins that the MAC covers. It ends where the MAC begins. */
  mac_input: 'nothing' | 'file_data' | 'message';
  parameters: ParameterNames;
}

export const mirrorsUid = ({ mirrored }: Pick<MessageSettings, 'mirrored'>): boolean =>
  mirrored !== 'counter';
export const mirrorsCounter = ({ mirrored }: Pick<MessageSettings, 'mirrored'>): boolean =>
  mirrored !== 'uid';

export interface SettingsProblem {
  field: keyof MessageSettings;
  message: string;
}

type Rule = readonly [isBroken: boolean, field: keyof MessageSettings, message: string];

function rulesOf(settings: MessageSettings): readonly Rule[] {
  const { file_data: data, file_data_length: length, mac_input: input } = settings;
  const { joined, ...names } = settings.parameters;
  const hasData = data !== 'none';
  const isRepeated = new Set(Object.values(names)).size < Object.keys(names).length;
  return [
    [!hasData && length > 0, 'file_data_length', 'must be 0 without file data'],
    [hasData && length === 0, 'file_data_length', 'must be at least 1'],
    [data === 'encrypted' && length % 16 > 0, 'file_data_length', 'must be a multiple of 16'],
    [
      data === 'encrypted' && settings.mirrored !== 'uid_and_counter',
      'mirrored',
      'must be `uid_and_counter`, because the chip encrypts file data with both',
    ],
    [
      hasData && input === 'nothing',
      'mac_input',
      'must be `file_data` or `message`, or else nothing proves the file data',
    ],
    [!hasData && input === 'file_data', 'mac_input', 'must not be `file_data` without file data'],
    [
      settings.tamper_status && (!hasData || length < 2),
      'file_data_length',
      'must be at least 2, for the state of the tamper loop',
    ],
    [joined === null && isRepeated, 'parameters', 'must have different names'],
  ];
}

/**
 * Returns what the chip can't do, or what would leave data without proof; undefined for settings
 * that work.
 */
export function settingsProblem(settings: MessageSettings): SettingsProblem | undefined {
  const [, field, message] = rulesOf(settings).find(([isBroken]) => isBroken) ?? [];
  return field === undefined || message === undefined ? undefined : { field, message };
}
