import { type AccentColors, accentColors, houseAccent } from './accent.ts';

/** A link of the footer. */
interface FooterLink {
  label: string;
  url: string;
}

/** The picture beside the name. `png` is for emails and for what can't show SVG. */
export interface BrandLogo {
  png: Buffer;
  /** Pixels. */
  width: number;
  height: number;
  /** Changes with the picture. */
  version: string;
}

/** The owner's brand: what visitors see of the operator, everywhere. */
export interface Brand {
  name: string;
  /** Undefined: the mark of the service. */
  logo: BrandLogo | undefined;
  /** As it was chosen: `#rrggbb`. */
  accent: string;
  colors: AccentColors;
  /** The address that people write to. */
  contactEmail: string | undefined;
  legalName: string;
  legalAddress: string | undefined;
  footer: { text: string | undefined; links: readonly FooterLink[] };
}

/**
 * Returns the brand as it is now. It is another object after every change, and the same one until
 * then, so what is made of it can be kept with `memoizeByObject`. Call it for each request.
 */
export type BrandReader = () => Brand;

/** What an admin has saved. What is null is as the environment says. */
export interface SavedBrand {
  name: string | null;
  accent: string | null;
  contact_email: string | null;
  legal_name: string | null;
  legal_address: string | null;
  footer_text: string | null;
  footer_links: readonly FooterLink[];
}

/** The settings of the environment, which hold until something is saved. */
export interface BrandDefaults {
  APP_NAME: string;
  CONTACT_EMAIL?: string | undefined;
  LEGAL_NAME?: string | undefined;
  LEGAL_ADDRESS?: string | undefined;
}

/** Makes a brand of what is saved and, for the rest, of the environment. */
export function brandOf(defaults: BrandDefaults, saved?: SavedBrand, logo?: BrandLogo): Brand {
  const name = saved?.name ?? defaults.APP_NAME;
  const accent = saved?.accent ?? houseAccent;
  return {
    name,
    logo,
    accent,
    colors: accentColors(accent),
    contactEmail: saved?.contact_email ?? defaults.CONTACT_EMAIL,
    legalName: saved?.legal_name ?? defaults.LEGAL_NAME ?? name,
    legalAddress: saved?.legal_address ?? defaults.LEGAL_ADDRESS,
    footer: { text: saved?.footer_text ?? undefined, links: saved?.footer_links ?? [] },
  };
}

/** Paths of the logo as PNG, which stay the same, so that old emails show the current one. */
export const logoPath = '/brand/logo.png';

/** The path of the logo on pages, which browsers may keep; undefined without a logo. */
export const pageLogoPath = ({ logo }: Brand): string | undefined =>
  logo === undefined ? undefined : `${logoPath}?v=${logo.version}`;

/** Whether the logo is so wide that it must contain the name, which is left out beside it. */
export const isWordmark = ({ logo }: Brand): boolean =>
  logo !== undefined && logo.width > logo.height * 1.8;
