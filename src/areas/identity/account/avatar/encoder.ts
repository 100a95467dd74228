import { createPictureUpload } from '../../../../platform/files/picture-upload.ts';
import { accountErrors } from '../errors.ts';

/** Width and height of stored pictures. */
const side = 256;

const errors = {
  type: () => accountErrors.avatar_type(),
  unreadable: () => accountErrors.avatar_unreadable(),
  busy: () => accountErrors.avatar_busy({ headers: { 'retry-after': '5' } }),
};

/**
 * Creates the function that turns an uploaded picture into a WebP of 256 pixels square. Throws
 * `account.avatar_type`, `.avatar_unreadable`, `.avatar_busy`.
 */
export function createAvatarEncoder() {
  const encode = createPictureUpload((picture) =>
    picture.resize(side, side, { fit: 'cover' }).webp({ quality: 82 }).toBuffer(),
  );
  return async (bytes: Buffer): Promise<Buffer> => {
    const encoded = await encode(bytes);
    if (typeof encoded === 'string') throw errors[encoded]();
    return encoded;
  };
}
