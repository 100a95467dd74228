import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { plural } from '../../../platform/i18n/plural.ts';

/** Texts of the contact form, its emails, and the words for its resources. */
export const texts = {
  form: {
    title: 'Contact us',
    description: 'Send us a message. We reply by email.',
    lead: 'Send us a message, and we’ll reply by email.',
    submit: 'Send message',
    trap: 'Leave this empty',
    /** `link` leads to the privacy notice. */
    privacy: 'We use what you enter only to reply to you. <link>Privacy</link>',
    back: 'Go to the contact form',
    proof: 'Protected from spam, without puzzles or cookies.',
    withoutScript:
      'JavaScript is off. You can still send a message, but only a few messages an hour are ' +
      'accepted this way.',
  },
  ways: {
    label: 'Other ways to reach us',
    email: 'Email',
    status: 'Something not working?',
    /** `link` leads to the status page. */
    statusText: 'Check the <link>status page</link> to see if we already know about it.',
    guides: 'Building with the API?',
    /** `link` leads to the developer pages. */
    guidesText: 'The <link>guides</link> answer most questions.',
    post: 'Postal address',
  },
  fields: {
    name: 'Name',
    email: 'Email',
    emailHint: 'We’ll reply to this address.',
    topic: 'Topic (optional)',
    subject: 'Subject (optional)',
    message: 'Message',
    messageHint: (p: { max: number }) => `Plain text, up to ${formatNumber(p.max)} characters.`,
  },
  topics: {
    none: 'Choose a topic',
    question: 'Question',
    problem: 'Something doesn’t work',
    sales: 'Sales',
    billing: 'Billing',
    security: 'Security',
    privacy: 'Privacy',
    other: 'Something else',
  },
  errors: {
    name: 'Enter your name on one line, in up to 100 characters.',
    email: 'Enter an email address like name@example.com.',
    topic: 'Choose a topic from the list.',
    subject: 'Use at most 200 characters, on one line.',
    message: 'Enter a message of up to 5,000 characters.',
  },
  refused: {
    tooMany:
      'We’ve received too many messages from your network. Your text is still below. Try again ' +
      'in an hour.',
    proof: 'The browser check failed or took too long. Send the message again.',
    expired: 'This page was open for too long. Check your text and send it again.',
    tooFast: 'That was quick. Wait a few seconds and send the message again.',
  },
  sent: {
    title: 'Message sent',
    text: 'Thank you. We’ll reply to the address that you entered.',
    home: 'Go to the home page',
  },
  reply: {
    subject: (p: { subject: string }) => `Re: ${p.subject}`,
    subjectWithout: (p: { app: string }) => `Re: Your message to ${p.app}`,
  },
  notice: {
    headline: (p: { count: number }) =>
      plural(p.count, {
        one: '1 new message',
        other: `${formatNumber(p.count)} new messages`,
      }),
    more: (p: { count: number }) =>
      plural(p.count, {
        one: 'One more is in the inbox.',
        other: `${formatNumber(p.count)} more are in the inbox.`,
      }),
    nameless: 'Unnamed',
    empty: '(no text)',
  },
  linkRemoved: '[link]',
  messages: {
    one: 'a contact message',
    many: 'contact messages',
    description: 'Messages from the contact form.',
    fields: {
      id: 'Id',
      name: 'Name',
      email: 'Email',
      subject: 'Subject',
      message: 'Message',
      topic: 'Topic',
      status: 'Status',
      assignee_id: 'Assigned to',
      proof: 'Check',
      spam_reason: 'Spam reason',
      network: 'Network',
      created_at: 'Received',
      updated_at: 'Changed',
    },
    values: {
      status: { new: 'New', open: 'Open', replied: 'Replied', closed: 'Closed', spam: 'Spam' },
      proof: { solved: 'Solved', none: 'None', key: 'API key' },
      spam_reason: {
        hidden_field: 'The hidden field was filled in',
        too_many_from_address: 'More than five messages in an hour from this address',
      },
    },
    none: 'No messages yet.',
  },
  savedReplies: {
    one: 'a saved reply',
    many: 'saved replies',
    description: 'Text snippets that admins insert into replies to contact messages.',
    fields: {
      id: 'Id',
      name: 'Name',
      text: 'Text',
      created_at: 'Created',
      updated_at: 'Changed',
    },
    points: {
      import: ['Rows whose name is taken are skipped. Existing replies stay as they are.'],
      delete: [
        'No admin can insert this text into replies any more.',
        'Replies that were already sent stay as they are.',
      ],
    },
    none: 'No saved replies yet. Save an answer that you send often, then insert it into replies.',
  },
};
