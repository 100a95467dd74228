import { type MessageSettings, mirrorsCounter, mirrorsUid } from './settings.ts';

export type FieldName = 'picc_data' | 'uid' | 'counter' | 'file_data' | 'mac';

/** A field that the tag fills in. */
export interface Field {
  name: FieldName;
  /** Characters. */
  length: number;
  /** What stands before it: the end of the field before, and its parameter. */
  before: string;
}

const uidLength = 14;
const counterLength = 6;
const macLength = 16;

type Lengths = readonly (readonly [FieldName, number])[];

function piccFields(settings: MessageSettings): Lengths {
  const { picc_data: kind, encryption } = settings;
  if (kind === 'encrypted') return [['picc_data', encryption === 'aes' ? 32 : 48]];
  return [
    ...(mirrorsUid(settings) ? [['uid', uidLength] as const] : []),
    ...(mirrorsCounter(settings) ? [['counter', counterLength] as const] : []),
  ];
}

function fieldLengths(settings: MessageSettings): Lengths {
  const { file_data: kind, file_data_length: length } = settings;
  return [
    ...piccFields(settings),
    ...(kind === 'none' ? [] : [['file_data', kind === 'plain' ? length : length * 2] as const]),
    ['mac', macLength],
  ];
}

/** The fields of a message, in the order in which they stand in its URL. */
export function layoutOf(settings: MessageSettings): readonly Field[] {
  const { parameters } = settings;
  return fieldLengths(settings).map(([name, length], at) => {
    const separator = at === 0 ? '?' : '&';
    if (parameters.joined === null)
      return { name, length, before: `${separator}${parameters[name]}=` };
    return { name, length, before: at === 0 ? `?${parameters.joined}=` : '' };
  });
}

/** The fields between which the MAC counts: the first one, or undefined for nothing. */
export function macInputStart(
  settings: MessageSettings,
  layout: readonly Field[],
): Field | undefined {
  if (settings.mac_input === 'nothing') return undefined;
  return settings.mac_input === 'message'
    ? layout[0]
    : layout.find(({ name }) => name === 'file_data');
}
