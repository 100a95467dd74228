import { z } from 'zod';
import { emailAddress, lineText } from '../../platform/validation/text-schemas.ts';

export const maxLogoBytes = 2 * 1024 * 1024;
export const maxFooterLinks = 6;

const accent = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'must be a color such as #2060e0')
  .describe('A color as `#rrggbb`. Buttons use a darker shade where white text needs it.');

const FooterLink = z.strictObject({
  label: lineText(40).describe('What the link says.'),
  url: z
    .string()
    .trim()
    .max(500)
    .regex(
      /^(?:https?:\/\/[^\s"<>\\]+|\/(?!\/)[^\s"<>\\]*)$/i,
      'must be a full address, such as https://example.com/legal, or a path',
    )
    .describe('An http or https URL, or a path of this service.'),
});

const example = {
  name: 'Acme',
  accent: '#0f766e',
  contact_email: 'hello@acme.example',
  legal_name: 'Acme GmbH',
  legal_address: 'Main Street 1, 10115 Berlin, Germany',
  footer_text: 'Made in Berlin',
  footer_links: [{ label: 'Imprint', url: 'https://acme.example/imprint' }],
};

/** What is saved of the brand. A member that is null is as the environment says. */
export const SavedBrandMembers = z.object({
  name: lineText(50).nullable().describe('The product’s name. Null: APP_NAME.'),
  accent: accent.nullable().describe('Color of buttons and links, `#rrggbb`. Null: blue.'),
  contact_email: emailAddress()
    .nullable()
    .describe('Where people write to, and where notices go. Null: CONTACT_EMAIL.'),
  legal_name: lineText(100)
    .nullable()
    .describe('The operator in terms and privacy notice. Null: LEGAL_NAME, or the name.'),
  legal_address: lineText(300)
    .nullable()
    .describe('Postal address of the operator. Null: LEGAL_ADDRESS.'),
  footer_text: lineText(160).nullable().describe('A sentence in the footer of public pages.'),
  footer_links: z
    .array(FooterLink)
    .max(maxFooterLinks)
    .describe('Further links in the footer of public pages.'),
});

export const UpdateBrandBody = SavedBrandMembers.partial()
  .strict()
  .meta({ examples: [example] });
export type UpdateBrandBody = z.output<typeof UpdateBrandBody>;

export const BrandView = SavedBrandMembers.extend({
  logo: z
    .object({ url: z.string(), width: z.int(), height: z.int() })
    .nullable()
    .describe('The logo as PNG, at most 512 pixels. Null: none was uploaded.'),
  effective: z
    .object({
      name: z.string(),
      accent: z.string(),
      contact_email: z.string().nullable(),
      legal_name: z.string(),
      legal_address: z.string().nullable(),
    })
    .describe('What people see: what was saved, else what the environment says.'),
}).meta({
  id: 'Brand',
  description: 'The operator’s brand.',
  examples: [
    {
      ...example,
      legal_address: null,
      logo: { url: 'https://svc.example/brand/logo.png?v=3f2a91c0', width: 512, height: 512 },
      effective: {
        name: 'Acme',
        accent: '#0f766e',
        contact_email: 'hello@acme.example',
        legal_name: 'Acme GmbH',
        legal_address: null,
      },
    },
  ],
});
export type BrandView = z.output<typeof BrandView>;
