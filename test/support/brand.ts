import { type BrandReader, brandOf } from '../../src/platform/brand/brand.ts';

/** A brand of which only the name is known. */
export function brandNamed(name: string): BrandReader {
  const brand = brandOf({ APP_NAME: name });
  return () => brand;
}
