import { z } from 'zod';
import { limited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import type { SettingsContext } from './compose.ts';
import { SettingsView, UpdateSettingsBody } from './schemas.live.ts';
import { BrandView, maxLogoBytes, UpdateBrandBody } from './schemas.ts';

const common = { scope: 'admin', tag: 'settings' } as const;
const operation = operationsOf<SettingsContext>(common);
const fileOperation = operationsOf<SettingsContext>({ ...common, accepts: 'bytes' });

const picture = z.any().meta({ type: 'string', format: 'binary', examples: ['…PNG…'] });

/** The brand and the other settings, for admins. */
export const settingsOperations = [
  operation({
    id: 'settings.get',
    path: 'GET /api/v1/settings',
    summary: 'Get the settings',
    description: 'Who can sign up, whether sites add themselves, and what the waitlist shows.',
    output: SettingsView,
    run: ({ liveSettings }) => liveSettings.get(),
  }),
  operation({
    id: 'settings.update',
    path: 'PATCH /api/v1/settings',
    summary: 'Change the settings',
    description:
      'Changes the given members. Null returns to the default. They hold at once; other replicas ' +
      'follow within seconds. Members that a variable of the environment sets are refused.',
    body: UpdateSettingsBody,
    output: SettingsView,
    errors: ['settings.fixed'],
    run: ({ liveSettings }, body, { by }) => liveSettings.update(body, by),
  }),
  operation({
    id: 'settings.get_brand',
    path: 'GET /api/v1/brand',
    summary: 'Get the brand',
    description: 'Name, logo, color, addresses and footer, which every page and email shows.',
    output: BrandView,
    run: ({ brandSettings }) => brandSettings.get(),
  }),
  operation({
    id: 'settings.update_brand',
    path: 'PATCH /api/v1/brand',
    summary: 'Change the brand',
    description:
      'Changes the given members. Null returns to the setting of the environment. Pages and ' +
      'emails show the change at once; other replicas follow within seconds.',
    body: UpdateBrandBody,
    output: BrandView,
    run: ({ brandSettings }, body, { by }) => brandSettings.update(body, by),
  }),
  fileOperation({
    id: 'settings.set_logo',
    path: 'PUT /api/v1/brand/logo',
    summary: 'Upload the logo',
    description:
      'A PNG, SVG, JPEG or WebP picture of at most 2 MB, an SVG of at most 256 KB. It is stored ' +
      'as PNG of at most 512 pixels, without metadata and scripts. A logo that is more than ' +
      'about twice as wide as high takes the place of the name.',
    limit: limited({ max: 30, seconds: 300 }),
    route: { bodyLimit: maxLogoBytes },
    schema: {
      consumes: ['image/png', 'image/svg+xml', 'image/jpeg', 'image/webp'],
      rawBody: picture,
    },
    output: BrandView,
    errors: ['settings.logo_type', 'settings.logo_unreadable', 'settings.busy'],
    run: ({ brandSettings }, _, { request: { body }, by }) =>
      brandSettings.setLogo(Buffer.isBuffer(body) ? body : Buffer.alloc(0), by),
  }),
  operation({
    id: 'settings.remove_logo',
    path: 'DELETE /api/v1/brand/logo',
    summary: 'Remove the logo',
    description: 'Pages and emails show the mark of the service again.',
    output: BrandView,
    run: ({ brandSettings }, _, { by }) => brandSettings.removeLogo(by),
  }),
];
