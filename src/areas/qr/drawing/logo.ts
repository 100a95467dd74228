import { createPictureUpload } from '../../../platform/files/picture-upload.ts';

/** A logo as it is kept and drawn: PNG without metadata. */
export interface Logo {
  png: Uint8Array;
  /** Pixels, at most 512. */
  width: number;
  height: number;
}

const side = 512;

/** Creates the function that turns an upload into a logo of at most 512 pixels on a side. */
export const createLogoEncoder = () =>
  createPictureUpload(async (picture): Promise<Logo> => {
    const { data, info } = await picture
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb')
      .png()
      .toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  });
