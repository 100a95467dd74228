import { z } from 'zod';

const parameterName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,15}$/, 'must be a letter and up to 15 letters, digits, - or _');

/** Names of query parameters, with defaults. */
export const ParameterNames = z
  .strictObject({
    picc_data: parameterName.default('picc_data'),
    uid: parameterName.default('uid'),
    counter: parameterName.default('ctr'),
    file_data: parameterName.default('enc'),
    mac: parameterName.default('cmac'),
    joined: parameterName.nullable().default(null),
  })
  .describe(
    'Names of the query parameters. With `joined`, one parameter holds everything, without ' +
      'separators.',
  );
export type ParameterNames = z.output<typeof ParameterNames>;

/** How an NTAG 424 writes its secure dynamic message. */
export const MessageSettings = z.object({
  encryption: z.enum(['aes', 'lrp']).describe('How an NTAG 424 encrypts and signs.'),
  picc_data: z
    .enum(['encrypted', 'plain'])
    .describe('Whether UID and counter can be read in the URL.'),
  mirrored: z
    .enum(['uid_and_counter', 'uid', 'counter'])
    .describe('What the message contains. Without the counter, old messages count again.'),
  file_data: z
    .enum(['none', 'plain', 'encrypted'])
    .describe('Whether the message also contains data from the file of the tag.'),
  file_data_length: z
    .int()
    .min(0)
    .max(64)
    .describe('Length of the file data, in bytes: a multiple of 16 if it is encrypted.'),
  tamper_status: z
    .boolean()
    .describe('Whether the file data starts with the state of the tamper loop: for `ntag424_tt`.'),
  mac_input: z
    .enum(['nothing', 'file_data', 'message'])
    .describe('Where the part of the URL that the MAC covers begins. It ends before the MAC.'),
  parameters: ParameterNames,
});
export type MessageSettings = z.output<typeof MessageSettings>;

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
      'must be `file_data` or `message`, otherwise the file data is not authenticated',
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

/** What a person may choose; the rest follows from it and from the chip. */
export const GivenSettings = MessageSettings.omit({ tamper_status: true }).partial();
export type GivenSettings = z.output<typeof GivenSettings>;
