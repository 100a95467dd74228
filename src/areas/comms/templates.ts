import { toGsm7 } from '../../lib/text/gsm7.ts';
import type { Brand } from '../../platform/brand/brand.ts';
import { mailHtml } from '../../platform/ui/mail/mail.tsx';
import { markPicture } from '../../platform/ui/mail/mark-picture.ts';
import { mailText } from '../../platform/ui/mail/text-part.ts';
import type { Channel, Rendered } from './provider.ts';
import { drafts } from './templates/drafts.ts';
import { type Checked, type TemplateName, templateParams } from './templates/params.ts';

type Content = Pick<Rendered, 'subject' | 'text' | 'html' | 'logo' | 'unsubscribe'>;

/** One for each template; TypeScript cannot tell that an entry of a table fits its own key. */
type Parsers = { [N in TemplateName]: { parse: (params: unknown) => Checked<N> } };
const parsers: Parsers = templateParams;

/**
 * Renders a template: both parts of a mail from one description. Throws a ZodError for missing or
 * malformed parameters.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Ties a parser to its draft.
export function renderTemplate<Name extends TemplateName>(
  template: Name,
  channel: Channel,
  params: unknown,
  brand: Brand,
): Content {
  const { sms, mail, unsubscribe } = drafts[template](parsers[template].parse(params), brand.name);
  if (channel === 'sms') return { subject: null, text: toGsm7(sms), html: null };
  return {
    subject: mail.subject,
    text: mailText(mail),
    html: () => mailHtml(mail, brand),
    logo: brand.logo?.png ?? markPicture,
    ...(unsubscribe === undefined ? {} : { unsubscribe }),
  };
}
