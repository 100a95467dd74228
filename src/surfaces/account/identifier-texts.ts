/** Which channels can send codes. */
export interface Channels {
  sms: boolean;
  email: boolean;
}

export interface IdentifierTexts {
  label: string;
  hint: string;
  /** Shown for invalid input. */
  error: string;
}

const [mail, number] = [
  'an e-mail address, such as name@example.com',
  'a phone number that starts with a plus sign and its country code, such as +1 415 555 0132',
];

const byBoth: IdentifierTexts = {
  label: 'E-mail address or phone number',
  hint:
    'We send you a code. A number starts with a plus sign and its country code, such as ' +
    '+1 415 555 0132.',
  error: `Enter ${mail}, or ${number}.`,
};
const byEmail: IdentifierTexts = {
  label: 'E-mail address',
  hint: 'We send you a code.',
  error: `Enter ${mail}.`,
};
const bySms: IdentifierTexts = {
  label: 'Phone number',
  hint:
    'We send you a code. The number starts with a plus sign and its country code, such as ' +
    '+1 415 555 0132.',
  error: `Enter ${number}.`,
};

/** The texts around the field for an address or number; undefined when no channel is set up. */
export function identifierTexts({ sms, email }: Channels): IdentifierTexts | undefined {
  if (sms && email) return byBoth;
  if (email) return byEmail;
  return sms ? bySms : undefined;
}
