import { escapeHtml, type Html, htmlDocument, trusted } from '../../../lib/text/html.ts';
import { type Brand, type BrandLogo, isWordmark } from '../../brand/brand.ts';
import { BlockRow, Grid, sized } from './blocks.tsx';
import type { MailContent } from './content.ts';
import { createLook, fonts, type LookOf, mailColorsOf, mailStyleSheet, type } from './style.ts';

const minPreheader = 80;
const maxPreheader = 100;

/** Shortens text, at a space if one is near. */
function shorten(text: string): string {
  if (text.length <= maxPreheader) return text;
  const cut = text.slice(0, maxPreheader - 1).toWellFormed();
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end >= minPreheader ? end : undefined)}…`;
}

const hidden =
  'display:none;overflow:hidden;max-height:0;max-width:0;opacity:0;font-size:1px;line-height:1px';
// Invisible characters, or email clients would fill the line with the beginning of the email.
const filler = trusted('&#847;&zwnj;&nbsp;'.repeat(40));

const Preheader = ({ text }: { text: string }) => (
  <>
    <div style={hidden} safe>
      {shorten(text)}
    </div>
    <div style={hidden} aria-hidden="true">
      {filler}
    </div>
  </>
);

/** The content id of the logo (RFC 2392), which is sent with the mail: nothing is loaded. */
export const logoContentId = 'logo@brand';

const logoHeight = 28;
const maxLogoWidth = 200;

/** Width in pixels at which the logo has its height, or its maximal width. */
const logoWidth = ({ width, height }: BrandLogo): number =>
  Math.min(maxLogoWidth, Math.round((logoHeight * width) / height));

/** The logo and the name. Without a logo, the mark of the service in the accent. */
function BrandRow({ brand, look }: { brand: Brand; look: LookOf }): Html {
  const { name, logo } = brand;
  const isWide = isWordmark(brand);
  return (
    <Grid>
      <tr>
        {logo === undefined ? (
          <td
            {...sized(logoHeight, logoHeight)}
            {...look(['button', 'onButton'], 'border-radius:6px')}
            aria-hidden="true"
          >
            <img
              src={`cid:${logoContentId}`}
              alt=""
              width={logoHeight}
              {...look('onButton', 'display:block;border:0')}
            />
          </td>
        ) : (
          <td {...sized(logoWidth(logo))}>
            <img
              src={`cid:${logoContentId}`}
              alt={isWide ? name : ''}
              width={logoWidth(logo)}
              {...look('text', 'display:block;border:0;border-radius:4px')}
            />
          </td>
        )}
        {!isWide && (
          <td {...look('text', `padding-left:10px;font-weight:600;${type.text}`)} safe>
            {name}
          </td>
        )}
        {isWide && <td>&nbsp;</td>}
      </tr>
    </Grid>
  );
}

function Footer({ reason, link, look }: MailContent['footer'] & { look: LookOf }): Html {
  return (
    <p {...look('soft', `margin:0;${type.caption}`)}>
      {escapeHtml(reason)}
      {link !== undefined && (
        <>
          {' '}
          <a href={link.url} {...look('link', 'text-decoration:underline')} safe>
            {link.label}
          </a>
        </>
      )}
    </p>
  );
}

const Head = ({ subject, sheet }: { subject: string; sheet: string }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
    <title safe>{subject}</title>
    <style>{trusted(sheet)}</style>
  </head>
);

type CardContent = Pick<MailContent, 'title' | 'blocks'>;

function Card({ title, blocks, look }: CardContent & { look: LookOf }): Html {
  const box = 'padding:28px 32px 32px;border:1px solid;border-radius:10px';
  const card = look(['card', 'border'], `${box};${fonts.text}`);
  return (
    <td {...card} class={`${card.class} inner`}>
      <Grid>
        <tr>
          <td>
            <h1 {...look('text', `margin:0;word-break:break-word;${type.title}`)} safe>
              {title}
            </h1>
          </td>
        </tr>
        {blocks.map((block) => (
          <BlockRow block={block} look={look} />
        ))}
      </Grid>
    </td>
  );
}

/** Renders the text/html part, with the brand at its top and in its colours. */
export function mailHtml(
  { subject, preheader, footer, ...card }: MailContent,
  brand: Brand,
): string {
  const colors = mailColorsOf(brand.colors);
  const look = createLook(colors);
  const page = look('page', 'padding:24px 12px');
  const width = 'width:100%;max-width:600px;border-collapse:separate';
  return htmlDocument(
    <html lang="en">
      <Head subject={subject} sheet={mailStyleSheet(colors)} />
      <body {...look('page', 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
        <Preheader text={preheader} />
        <Grid>
          <tr>
            <td align="center" {...page} class={`${page.class} outer`}>
              <table
                role="presentation"
                cellpadding={0}
                cellspacing={0}
                border={0}
                width="600"
                style={width}
              >
                <tr>
                  <td style={`padding:0 4px 16px;${fonts.text}`}>
                    <BrandRow brand={brand} look={look} />
                  </td>
                </tr>
                <tr>
                  <Card {...card} look={look} />
                </tr>
                <tr>
                  <td style={`padding:16px 4px 0;${fonts.text}`}>
                    <Footer {...footer} look={look} />
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </Grid>
      </body>
    </html>,
  );
}
