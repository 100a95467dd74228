import type { ContactStatus, SpamReason } from '../../../areas/contact/statuses.ts';

/** A message, and what became of it. */
export interface Letter {
  /** Hours before the end of the story. */
  hours: number;
  name: string;
  email: string;
  subject: string;
  message: string;
  topic: string;
  status: ContactStatus;
  spamReason?: SpamReason;
  isAssigned?: boolean;
  note?: string;
  reply?: string;
}

export const savedTexts = [
  {
    name: 'Invoices',
    text:
      'Hello,\n\nyou find all invoices under Settings, Billing. The button at the end of each ' +
      'line downloads the PDF.\n\nBest regards',
  },
  {
    name: 'Looking into it',
    text: 'Hello,\n\nthank you for telling us. We are looking into it and will write again today.',
  },
  {
    name: 'Yarn is back in stock',
    text: 'Hello,\n\ngood news: the yarn you asked about is in stock again.\n\nHappy knitting',
  },
] as const;

/** What people have written, newest first. */
export const correspondence: readonly Letter[] = [
  {
    hours: 0.4,
    name: 'Mira Feldkamp',
    email: 'mira.feldkamp@mail.example',
    subject: 'Merino in dark green',
    message:
      'Hello,\n\nwill the merino in dark green come back before Christmas? I need three more ' +
      'skeins of lot 4471.\n\nThank you\nMira',
    topic: 'question',
    status: 'new',
  },
  {
    hours: 2.1,
    name: 'Tobias Lang',
    email: 'tobias@studio.example',
    subject: 'Checkout stops at the address',
    message:
      'When I enter an address in Austria, the button to continue stays gray. I tried Firefox ' +
      'and Chrome on a laptop.',
    topic: 'problem',
    status: 'new',
  },
  {
    hours: 5,
    name: 'Yarn & Co',
    email: 'purchasing@yarn.example',
    subject: 'Wholesale prices',
    message: 'We have two shops and would like your wholesale list for spring.',
    topic: 'sales',
    status: 'new',
  },
  {
    hours: 26,
    name: 'Helene Baptiste',
    email: 'helene.b@mail.example',
    subject: 'Parcel without the needles',
    message: 'My order arrived today, but the 4 mm needles are missing. The slip lists them.',
    topic: 'problem',
    status: 'open',
    isAssigned: true,
    note: 'Asked the warehouse. The needles were packed separately, second parcel is on its way.',
  },
  {
    hours: 31,
    name: 'Samir Haddad',
    email: 'samir@wool.example',
    subject: '',
    message: 'Do you also teach courses online?',
    topic: '',
    status: 'open',
  },
  {
    hours: 52,
    name: 'Grete Olsen',
    email: 'grete.olsen@mail.example',
    subject: 'Invoice for May',
    message: 'Where can I download the invoice for May? I need it for my tax return.',
    topic: 'billing',
    status: 'replied',
    isAssigned: true,
    reply:
      'Hello Grete,\n\nyou find all invoices under Settings, Billing. The button at the end of ' +
      'each line downloads the PDF.\n\nBest regards',
  },
  {
    hours: 75,
    name: 'Noor van Dijk',
    email: 'noor@studio.example',
    subject: 'Delete my account',
    message: 'Please delete my account and everything you store about me.',
    topic: 'privacy',
    status: 'replied',
    reply: 'Hello Noor,\n\nwe have deleted your account. You will not hear from us again.',
    note: 'Deleted on the same day.',
  },
  {
    hours: 240,
    name: 'Pavel Novák',
    email: 'pavel@mail.example',
    subject: 'Thank you',
    message: 'The blanket is finished. Thank you for the advice about the border!',
    topic: 'other',
    status: 'closed',
    reply: 'Hello Pavel,\n\nthat made our day. Send us a picture if you like.',
  },
  {
    hours: 430,
    name: 'Ines Carvalho',
    email: 'ines.carvalho@mail.example',
    subject: 'Shop was down?',
    message: 'I could not pay for an hour this afternoon. Is my cart still there?',
    topic: 'problem',
    status: 'closed',
    isAssigned: true,
    note: 'Within the outage of the payment provider.',
    reply: 'Hello Ines,\n\nyour cart is still there, and payments work again. We are sorry.',
  },
  {
    hours: 12,
    name: 'Best SEO Team',
    email: 'rank@seo.example',
    subject: 'First page of search results',
    message:
      'We put your site on the first page, guaranteed. Visit http://seo.example/offer today.',
    topic: '',
    status: 'spam',
    spamReason: 'hidden_field',
  },
  {
    hours: 90,
    name: 'Casino',
    email: 'win@casino.example',
    subject: 'You have won',
    message: 'Claim your prize at http://casino.example',
    topic: '',
    status: 'spam',
    spamReason: 'too_many_from_address',
  },
];
