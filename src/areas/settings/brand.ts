import { createPictureUpload } from '../../platform/files/picture-upload.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import { pageLogoPath } from '../../platform/brand/brand.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { brandGroup, type CurrentBrand, savedBrandOf } from './current-brand.ts';
import { settingsErrors } from './errors.ts';
import type { BrandView, UpdateBrandBody } from './schemas.ts';
import { lockGroup, readGroup, writeGroup } from './store.ts';

export interface BrandParts extends Pick<Resources, 'db' | 'clock' | 'baseUrl'> {
  audit: Audit;
  current: CurrentBrand;
}

const logoSide = 512;
const target = { kind: 'settings', id: brandGroup };

const refusals = {
  type: settingsErrors.logo_type,
  unreadable: settingsErrors.logo_unreadable,
  busy: () => settingsErrors.busy({ headers: { 'retry-after': '5' } }),
};

/** Turns an upload into PNG without metadata, without the empty border, of at most 512 pixels. */
const createEncoder = () =>
  createPictureUpload(
    (picture) =>
      picture
        .resize(logoSide, logoSide, { fit: 'inside', withoutEnlargement: true })
        .toColorspace('srgb')
        .png({ palette: true, quality: 95, effort: 8 })
        .toBuffer(),
    { acceptsSvg: true },
  );

/** The brand, as admins read and change it. */
export function createBrandSettings({ db, clock, baseUrl, audit, current }: BrandParts) {
  const encode = createEncoder();
  return { get, update, setLogo, removeLogo };

  async function get(): Promise<BrandView> {
    const stored = await readGroup(db, brandGroup);
    const { footer_links: links, ...saved } = savedBrandOf(stored?.value);
    const brand = current.brand();
    const logo = pageLogoPath(brand);
    return {
      ...saved,
      footer_links: [...links],
      logo:
        brand.logo === undefined || logo === undefined
          ? null
          : { url: `${baseUrl}${logo}`, width: brand.logo.width, height: brand.logo.height },
      effective: {
        name: brand.name,
        accent: brand.accent,
        contact_email: brand.contactEmail ?? null,
        legal_name: brand.legalName,
        legal_address: brand.legalAddress ?? null,
      },
    };
  }

  /** Members that are missing stay as they are; null returns to the environment's. */
  async function update(changes: UpdateBrandBody, by: RequestActor): Promise<BrandView> {
    const now = new Date(clock.now());
    await db.transaction().execute(async (within) => {
      const stored = await lockGroup(within, brandGroup, now);
      const value = { ...savedBrandOf(stored.value), ...changes };
      await writeGroup(within, brandGroup, { value, now });
      const details = { members: Object.keys(changes) };
      const entry = { ...by, action: 'settings.brand_changed' as const, target, details };
      await audit.recordIn(within, [entry]);
    });
    await current.announce();
    return get();
  }

  /** Throws `settings.logo_type`, `settings.logo_unreadable`, `settings.busy`. */
  async function setLogo(bytes: Buffer, by: RequestActor): Promise<BrandView> {
    const picture = await encode(bytes);
    if (typeof picture === 'string') throw refusals[picture]();
    await writeLogo(picture, by);
    return get();
  }

  /** Returns to the mark of the service. Repeating it has no effect. */
  async function removeLogo(by: RequestActor): Promise<BrandView> {
    await writeLogo(null, by);
    return get();
  }

  async function writeLogo(picture: Buffer | null, by: RequestActor): Promise<void> {
    const now = new Date(clock.now());
    await db.transaction().execute(async (within) => {
      await lockGroup(within, brandGroup, now);
      await writeGroup(within, brandGroup, { picture, now });
      const action = picture === null ? 'settings.logo_removed' : 'settings.logo_changed';
      await audit.recordIn(within, [{ ...by, action, target }]);
    });
    await current.announce();
  }
}
