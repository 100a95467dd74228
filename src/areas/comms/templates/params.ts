import { z } from 'zod';

// No line breaks: they could start a mail header, or become the last line of an SMS.
const line = z
  .string()
  .min(1)
  .max(500)
  .transform((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
// Lines and blank lines between paragraphs, but no other control characters.
const block = z
  .string()
  .min(1)
  .max(20_000)
  .transform((text) =>
    text
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n]+/gu, ' ')
      .trim(),
  );
const address = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .regex(/^[^\s<>"]+$/);
const hours = z.string().regex(/^\d{1,3}$/);
const facts = z.array(z.object({ label: line, value: line })).max(20);
const bars = z
  .array(
    z.object({ label: line, value: line, detail: line.optional(), size: z.number().min(0).max(1) }),
  )
  .max(31);

const code = z.object({
  code: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
  minutes: z.string().regex(/^\d{1,4}$/),
  host: z.string().regex(/^[A-Za-z0-9.:[\]-]{1,253}$/),
});

/** The parameters of each message. */
export const templateParams = {
  sign_in_code: code,
  contact_code: code,
  account_notice: z.object({
    headline: line,
    body: line,
    facts: facts.optional(),
    link: z.object({ label: line, url: address }).optional(),
    /** Whether the text message ends with the link. Emails always have it. */
    hasLinkInSms: z.boolean().optional(),
  }),
  test_message: z.object({ to: line, at: line, url: address }),
  signup_confirm: z.object({ url: address, hours }),
  invitation: z.object({
    url: address,
    /** The last day of the link, such as `December 5`. Messages of older versions have none. */
    until: line.optional(),
    /** Name or address of the inviter; undefined for programs. */
    inviter: line.optional(),
    role: line.optional(),
    note: block.optional(),
  }),
  contact_reply: z.object({
    subject: line,
    body: block,
    /** The message that is answered. */
    quote: block,
  }),
  contact_notice: z.object({
    headline: line,
    /** Senders and the beginnings of their messages. */
    messages: facts,
    /** How many more there are. */
    more: line.optional(),
    url: address,
  }),
  status_confirm: z.object({ url: address, hours }),
  status_update: z.object({
    name: line,
    phase: line,
    components: z.string().max(2000),
    body: block,
    url: address,
    unsubscribe: address,
  }),
  waitlist_confirm: z.object({ url: address, hours, unsubscribe: address, sender: line }),
  waitlist_place: z.object({ url: address, unsubscribe: address, sender: line }),
  waitlist_invitation: z.object({ url: address, unsubscribe: address, sender: line }),
  analytics_report: z.object({
    kind: line,
    site: line,
    days: line,
    timezone: line,
    before: line,
    headline: line,
    preheader: line,
    stats: z
      .array(
        z.object({
          label: line,
          value: line,
          change: z.object({ text: line, tone: z.enum(['good', 'bad', 'neutral']) }).optional(),
        }),
      )
      .max(12),
    columns: z.object({ title: line, bars }),
    lists: z.array(z.object({ title: line, bars })).max(8),
    /** Only for recipients with access to the console. */
    url: address.optional(),
    unsubscribe: address,
  }),
};

export type TemplateName = keyof typeof templateParams;
export const templateNames = Object.keys(templateParams) as TemplateName[];
export type TemplateParams = { [N in TemplateName]: z.input<(typeof templateParams)[N]> };
/** Checked parameters. */
export type Checked<N extends TemplateName> = z.output<(typeof templateParams)[N]>;
