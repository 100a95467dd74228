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
      'Hello,\n\nyou’ll find all invoices under Settings, Billing. The button at the end of each ' +
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

/** What people have written over the year. */
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
      'Hello Grete,\n\nyou’ll find all invoices under Settings, Billing. The button at the end ' +
      'of each line downloads the PDF.\n\nBest regards',
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
  {
    hours: 620,
    name: 'Yara Lindholm',
    email: 'yara@mail.example',
    subject: 'Gift card',
    message: 'Can I pay with two gift cards in one order?',
    topic: 'question',
    status: 'closed',
    reply:
      'Hello Yara,\n\nyes: enter the second one after the first. Both are then listed above ' +
      'the total.',
  },
  {
    hours: 1010,
    name: 'Conrad Weiss',
    email: 'c.weiss@post.example',
    subject: 'Wrong address on my order',
    message: 'I moved last week and typed my old address. Can you still change it?',
    topic: 'problem',
    status: 'closed',
    note: 'Changed before it left the warehouse.',
    reply: 'Hello Conrad,\n\ndone: the parcel goes to your new address.',
  },
  {
    hours: 1480,
    name: 'Strickcafé am Markt',
    email: 'hallo@cafe.example',
    subject: 'A workshop together?',
    message: 'We would like to hold a workshop with your yarn in spring. Who can we talk to?',
    topic: 'sales',
    status: 'replied',
    note: 'Forwarded to Chiara.',
    reply: 'Hello,\n\nthat sounds lovely. Chiara will call you this week.',
  },
  {
    hours: 2130,
    name: 'Irena Kowalczyk',
    email: 'irena@studio.example',
    subject: 'Returned parcel',
    message: 'I sent the blue skeins back three weeks ago. When do I get my money?',
    topic: 'billing',
    status: 'closed',
    reply: 'Hello Irena,\n\nthe refund left us today. It takes up to three days to arrive.',
  },
  {
    hours: 2890,
    name: 'Ben Adeyemi',
    email: 'ben@wool.example',
    subject: 'Possible security problem',
    message:
      'The link for resetting my newsletter settings works without signing in. Is this intended?',
    topic: 'security',
    status: 'closed',
    note: 'Looked at it: the link is meant to work once, and does.',
    reply:
      'Hello Ben,\n\nthank you for looking closely. The link works once and for one hour only.',
  },
  {
    hours: 3720,
    name: 'Sofie Andersen',
    email: 'sofie.andersen@mail.example',
    subject: 'Pattern for the striped socks',
    message: 'On page 3 the decreases do not add up. Should it be every fourth row?',
    topic: 'problem',
    status: 'closed',
    reply:
      'Hello Sofie,\n\nyou are right. We have corrected the pattern and sent you the new file.',
  },
  {
    hours: 4650,
    name: 'Rafael Ortiz',
    email: 'rafael@post.example',
    subject: 'Shipping to Spain',
    message: 'How much is shipping to Valencia, and how long does it take?',
    topic: 'question',
    status: 'closed',
    reply: 'Hello Rafael,\n\n9.90 euros and about five days.',
  },
  {
    hours: 5900,
    name: 'Miriam Stein',
    email: 'miriam.stein@mail.example',
    subject: '',
    message: 'Loved the article about indigo. More of this, please!',
    topic: 'other',
    status: 'closed',
  },
  {
    hours: 7300,
    name: 'Oskar Nyström',
    email: 'oskar@studio.example',
    subject: 'My data',
    message: 'Which data do you keep about me, and for how long?',
    topic: 'privacy',
    status: 'closed',
    note: 'Sent the copy of the data.',
    reply:
      'Hello Oskar,\n\nyou can download a copy of everything yourself: Your account, Your data.',
  },
];
