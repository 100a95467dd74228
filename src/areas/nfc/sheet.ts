import { type Chip, chips, isMirrorChip, type MirrorChip, type Mode } from './chips.ts';
import { type2HeaderLength, wrapMessage } from './ndef/memory.ts';
import { isShort, uriMessage } from './ndef/message.ts';
import { uriPrefixCode, uriPrefixes } from './ndef/prefixes.ts';
import type { EncodingView } from './schemas.ts';
import { type Field, type FieldName, layoutOf, macInputStart } from './sdm/layout.ts';
import { type MessageSettings, mirrorsCounter, mirrorsUid } from './sdm/settings.ts';

/** The settings of an NTAG 424's NDEF file, for the command ChangeFileSettings. */
type FileSettings = NonNullable<EncodingView['file_settings']>;
/** Where the chip puts its fields: bytes from the start of its NDEF file. */
type Offsets = FileSettings['offsets'];
/** The configuration of an NTAG 21x's mirror. */
type MirrorSettings = NonNullable<EncodingView['mirror_settings']>;

/** How to encode a tag. */
export interface Sheet {
  /** The URL, with zeros where the chip puts its fields. */
  url: string;
  /** What to write from the start of the NDEF memory or file. */
  memory: Buffer;
  message: Buffer;
  file_settings?: FileSettings;
  mirror_settings?: MirrorSettings;
}

/** A tag, as far as its encoding depends on it. */
export interface EncodedTag {
  chip: Chip;
  mode: Mode;
  settings: MessageSettings | undefined;
  /** Its URL without a message. */
  url: string;
}

export const mirrorParameter = 'm';
const mirrorPlaceholder = '00000000000000x000000';

const hexByte = (value: number): string => value.toString(16).padStart(2, '0').toUpperCase();

/** Three bytes, the least significant one first. */
const hexOffset = (value: number): string =>
  [value, value >> 8, value >> 16].map((each) => hexByte(each & 0xff)).join('');

function urlOf({ mode, settings, url }: EncodedTag): string {
  if (mode === 'mirror') return `${url}?${mirrorParameter}=${mirrorPlaceholder}`;
  if (settings === undefined) return url;
  const fields = layoutOf(settings).map(({ before, length }) => before + '0'.repeat(length));
  return url + fields.join('');
}

/** Bytes in the memory before the first character of a URL behind its prefix. */
function urlStart(chip: Chip, message: Buffer): number {
  const record = isShort(message) ? 5 : 8;
  return record + (isMirrorChip(chip) ? type2HeaderLength(message.length) : 2);
}

/** Where each field stands in the file. */
function fieldOffsets(
  tag: EncodedTag,
  layout: readonly Field[],
  start: number,
): ReadonlyMap<FieldName, number> {
  const prefix = uriPrefixes[uriPrefixCode(tag.url)] ?? '';
  let at = start + Buffer.byteLength(tag.url) - prefix.length;
  const offsets = new Map<FieldName, number>();
  for (const { name, before, length } of layout) {
    at += before.length;
    offsets.set(name, at);
    at += length;
  }
  return offsets;
}

function offsetsOf(tag: EncodedTag, settings: MessageSettings, start: number): Offsets {
  const layout = layoutOf(settings);
  const found = fieldOffsets(tag, layout, start);
  const macOffset = found.get('mac') ?? 0;
  const inputStart = macInputStart(settings, layout);
  const data = layout.find(({ name }) => name === 'file_data');
  const at = (name: FieldName) => found.get(name);
  return {
    uid_offset: at('uid'),
    read_counter_offset: at('counter'),
    picc_data_offset: at('picc_data'),
    ...(settings.tamper_status && { tamper_status_offset: at('file_data') }),
    mac_input_offset: inputStart === undefined ? macOffset : (at(inputStart.name) ?? macOffset),
    ...(settings.file_data === 'encrypted' && {
      enc_offset: at('file_data'),
      enc_length: data?.length,
    }),
    mac_offset: macOffset,
  };
}

/** Keys by their number in the chip, as the examples of NXP AN12196 use them. */
export const keyNumbers = { application: 0, file: 1, meta: 2 } as const;

const sdmOptionsOf = (settings: MessageSettings): number =>
  (mirrorsUid(settings) ? 0x80 : 0) |
  (mirrorsCounter(settings) ? 0x40 : 0) |
  (settings.file_data === 'encrypted' ? 0x10 : 0) |
  (settings.tamper_status ? 0x08 : 0) |
  0x01;

/** The settings of the NDEF file (data sheets NT4H2421Gx, table 69, and NT4H2421Tx). */
function fileSettingsOf(tag: EncodedTag, settings: MessageSettings, start: number): FileSettings {
  const offsets = offsetsOf(tag, settings, start);
  const free = 0xe;
  const metaRead = settings.picc_data === 'encrypted' ? keyNumbers.meta : free;
  const parts = {
    // Dynamic messages on, plain communication.
    file_option: hexByte(0x40),
    // Everybody reads; key 0 writes and changes.
    access_rights: hexByte(keyNumbers.application) + hexByte(free << 4),
    sdm_options: hexByte(sdmOptionsOf(settings)),
    sdm_access_rights: hexByte(0xf0 | keyNumbers.file) + hexByte((metaRead << 4) | keyNumbers.file),
  };
  const inOrder = [
    offsets.uid_offset,
    offsets.read_counter_offset,
    offsets.picc_data_offset,
    offsets.tamper_status_offset,
    offsets.mac_input_offset,
    offsets.enc_offset,
    offsets.enc_length,
    offsets.mac_offset,
  ];
  const fields = inOrder.flatMap((each) => (each === undefined ? [] : [hexOffset(each)]));
  return {
    ...parts,
    offsets,
    // The data of the command, without the number of the file.
    change_file_settings: [...Object.values(parts), ...fields].join(''),
  };
}

/** The mirror's configuration (NTAG213/215/216 data sheet, section 8.5.7 and tables 9 to 13). */
function mirrorSettingsOf(tag: EncodedTag & { chip: MirrorChip }, message: Buffer): MirrorSettings {
  const prefix = uriPrefixes[uriPrefixCode(tag.url)] ?? '';
  const at =
    urlStart(tag.chip, message) +
    Buffer.byteLength(tag.url) -
    prefix.length +
    `?${mirrorParameter}=`.length;
  const firstPage = 4;
  const uidAndCounter = 0b11;
  const strongModulation = 0x04;
  return {
    // The page that holds MIRROR, MIRROR_PAGE and AUTH0, and the one after it with ACCESS.
    configuration_page: chips[tag.chip].configurationPage,
    mirror: hexByte((uidAndCounter << 6) | ((at % 4) << 4) | strongModulation),
    mirror_page: hexByte(firstPage + Math.floor(at / 4)),
    // The counter on (NFC_CNT_EN), and nothing else.
    access: hexByte(0x10),
  };
}

/**
 * Returns how to encode a tag: its URL, the bytes to write and the chip's settings. Undefined when
 * the URL does not fit the chip.
 */
export function encodingSheet(tag: EncodedTag): Sheet | undefined {
  const { chip, mode, settings } = tag;
  const url = urlOf(tag);
  const message = uriMessage(url);
  const memory = wrapMessage(chip, message);
  if (memory === undefined) return undefined;
  const sheet = { url, message, memory };
  if (mode === 'mirror' && isMirrorChip(chip))
    return { ...sheet, mirror_settings: mirrorSettingsOf({ ...tag, chip }, message) };
  if (mode !== 'sun' || settings === undefined) return sheet;
  return {
    ...sheet,
    file_settings: fileSettingsOf(tag, settings, urlStart(chip, message)),
  };
}
