import type { Assets } from '../ui/assets.ts';
import { type Brand, pageLogoPath } from './brand.ts';
import { houseColors } from './accent.ts';

export const markPath = '/brand/mark.svg';

/** The colour of the mark as it is drawn in `icon.svg`. */
const drawnColor = '#0b57d0';

/** The mark of the service in the accent: what stands for the operator until they have a logo. */
export const markOf = ({ colors }: Pick<Brand, 'colors'>, assets: Pick<Assets, 'files'>): string =>
  (assets.files.find(({ name }) => name === 'icon.svg')?.content.toString() ?? '').replace(
    drawnColor,
    colors.accent[0],
  );

/** The path of the picture that stands for the operator: their logo, or the mark. */
export function brandPicturePath(brand: Brand, assets: Pick<Assets, 'path'>): string {
  const { colors } = brand;
  const mark =
    colors === houseColors ? assets.path('icon.svg') : `${markPath}?v=${colors.accent[0].slice(1)}`;
  return pageLogoPath(brand) ?? mark;
}
