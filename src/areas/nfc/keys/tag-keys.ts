import type { NfcParts } from '../compose.ts';
import type { TagRow } from '../tables.ts';
import type { TapKeys } from '../sdm/read-tap.ts';
import { diversifyKey } from './diversify.ts';
import { openKey } from './service.ts';

/** What the keys of a tag depend on. */
type KeyedTag = Pick<
  TagRow,
  'key_source' | 'key_version' | 'sealed_meta_key' | 'sealed_file_key' | 'uid'
>;

/** The keys to put into a chip, as far as they are known. */
export interface ChipKeys {
  /** Changes the settings of the chip. Undefined with given keys. */
  application: Buffer | undefined;
  meta: Buffer | undefined;
  file: Buffer | undefined;
}

// The input of AN10922 for each key. The meta key is the same for all tags of a version: it is
// needed to decrypt the UID.
const metaInput = Buffer.from('nfc meta');
const inputOf = (uid: string, purpose: string): Buffer =>
  Buffer.concat([Buffer.from(uid, 'hex'), Buffer.from(purpose)]);

const fileKeyOf = (master: Buffer, uid: string): Buffer =>
  diversifyKey(master, inputOf(uid, 'nfc file'));

/** Derives or opens the keys of tags. All throw `nfc.keys_unreadable`. */
export function createTagKeys({ masterKeys, seal }: Pick<NfcParts, 'masterKeys' | 'seal'>) {
  const open = (sealed: string | null): Buffer | undefined =>
    sealed === null ? undefined : openKey(seal, sealed);

  async function masterOf({ key_version: version }: KeyedTag): Promise<Buffer> {
    if (version === null) throw new TypeError('a tag without keys has none to derive');
    return masterKeys.get(version);
  }

  return {
    /** The keys that verify taps of a tag. */
    async ofTap(tag: KeyedTag): Promise<TapKeys> {
      if (tag.key_source === 'given') {
        const file = open(tag.sealed_file_key);
        if (file === undefined) throw new TypeError('a tag with given keys has a file key');
        return { meta: open(tag.sealed_meta_key) ?? file, fileKeyOf: () => file };
      }
      const master = await masterOf(tag);
      return {
        meta: diversifyKey(master, metaInput),
        // Messages without a UID are verified with the tag's own, which the schema requires.
        fileKeyOf: (uid) => fileKeyOf(master, uid ?? tag.uid ?? ''),
      };
    },

    /** The keys to encode a chip with. */
    async ofChip(tag: KeyedTag): Promise<ChipKeys> {
      if (tag.key_source === 'given')
        return {
          application: undefined,
          meta: open(tag.sealed_meta_key),
          file: open(tag.sealed_file_key),
        };
      const master = await masterOf(tag);
      const { uid } = tag;
      return {
        application: uid === null ? undefined : diversifyKey(master, inputOf(uid, 'nfc app')),
        meta: diversifyKey(master, metaInput),
        file: uid === null ? undefined : fileKeyOf(master, uid),
      };
    },
  };
}

export type TagKeys = ReturnType<typeof createTagKeys>;
