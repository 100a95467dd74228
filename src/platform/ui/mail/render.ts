import type { MailContent } from './content.ts';
import { mailHtml } from './mail.tsx';
import { mailText } from './text-part.ts';

/** Renders both parts of a mail from one description, so that they say the same. */
export const renderMail = (content: MailContent, app: string): { text: string; html: string } => ({
  text: mailText(content),
  html: mailHtml(content, app),
});
