import { publicUrlMessage } from '../../../lib/net/public-url.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import { isMirrorChip } from '../chips.ts';
import { type EncodedTag, encodingSheet } from '../sheet.ts';
import type { NfcTagBody } from '../schemas.ts';
import { type MessageSettings, settingsProblem } from '../sdm/settings.ts';
import type { KeySource, TagRow } from '../tables.ts';
import { GivenSettings } from '../sdm/settings.ts';

/** A tag as the rules see it: a body with its defaults, or a row with changes. */
interface CheckedTag extends Pick<
  TagRow,
  'chip' | 'mode' | 'uid' | 'key_source' | 'target' | 'action'
> {
  settings: MessageSettings | undefined;
}

type Rule = readonly [isBroken: boolean, field: string, message: string];

function targetRules({ target, action }: CheckedTag, ownOrigin: string): readonly Rule[] {
  const problem = target === null ? undefined : publicUrlMessage(target, ownOrigin);
  const needsTarget = action === 'redirect' || action === 'token';
  return [
    [needsTarget && target === null, 'target', `is required for the action \`${action}\``],
    [problem !== undefined, 'target', problem ?? ''],
    [
      action === 'token' && target?.startsWith('https://') === false,
      'target',
      'must begin with https:// to be sent a token',
    ],
  ];
}

function settingsRules({ settings, key_source: source, uid }: CheckedTag): Rule[] {
  if (settings === undefined) return [];
  const problem = settingsProblem(settings);
  return [
    [problem !== undefined, problem?.field ?? '', problem?.message ?? ''],
    [
      source === 'derived' && settings.mirrored === 'counter' && uid === null,
      'uid',
      'is required, because the key depends on it and the message does not tell it',
    ],
  ];
}

function modeRules({ chip, mode, action, settings }: CheckedTag): readonly Rule[] {
  const isSigned = mode === 'sun' && settings?.mirrored !== 'uid';
  return [
    [
      mode === 'mirror' && !isMirrorChip(chip),
      'mode',
      'must be `plain` or `sun` for this chip; NTAG 21x chips have a mirror',
    ],
    [
      mode === 'sun' && isMirrorChip(chip),
      'mode',
      'must be `plain` or `mirror` for this chip; NTAG 424 chips sign messages',
    ],
    [
      action === 'token' && !isSigned,
      'action',
      'must not be `token`, unless the tag signs messages with a counter (mode `sun`)',
    ],
  ];
}

/** Throws a RequestValidationError for the first rule that a tag breaks. */
export function checkTag(tag: CheckedTag, ownOrigin: string): void {
  const rules = [...modeRules(tag), ...settingsRules(tag), ...targetRules(tag, ownOrigin)];
  const [, field, message] = rules.find(([isBroken]) => isBroken) ?? [];
  if (field !== undefined && message !== undefined)
    throw new RequestValidationError([valueError(['body', field], message)]);
}

/** Throws a RequestValidationError if the URL of a tag does not fit its chip. */
export function checkFit(tag: EncodedTag): void {
  if (encodingSheet(tag) === undefined)
    throw new RequestValidationError([
      valueError(['body', 'chip'], 'has too little memory for the URL and the message'),
    ]);
}

type Given = Pick<NfcTagBody, keyof GivenSettings | 'meta_key' | 'file_key'>;

const onlySigned = [...Object.keys(GivenSettings.shape), 'key_source', 'meta_key', 'file_key'];

/** Throws a RequestValidationError for members that a tag without signed messages has not. */
export function checkUnsigned(body: NfcTagBody): void {
  const given = new Map(Object.entries(body));
  const details = onlySigned
    .filter((name) => given.get(name) !== undefined)
    .map((name) => valueError(['body', name], 'is only for the mode `sun`'));
  if (details.length > 0) throw new RequestValidationError(details);
}

/** Throws a RequestValidationError for keys that are missing, or that nothing uses. */
export function checkGivenKeys(body: Given, source: KeySource, settings: MessageSettings): void {
  const isGiven = source === 'given';
  const needsMeta = settings.picc_data === 'encrypted';
  const rules: readonly Rule[] = [
    [isGiven && body.file_key === undefined, 'file_key', 'is required with given keys'],
    [
      isGiven && needsMeta && body.meta_key === undefined,
      'meta_key',
      'is required with given keys and encrypted PICC data',
    ],
    [!isGiven && body.file_key !== undefined, 'file_key', 'is only for given keys'],
    [!isGiven && body.meta_key !== undefined, 'meta_key', 'is only for given keys'],
  ];
  const details = rules.flatMap(([isBroken, field, message]) =>
    isBroken ? [valueError(['body', field], message)] : [],
  );
  if (details.length > 0) throw new RequestValidationError(details);
}
