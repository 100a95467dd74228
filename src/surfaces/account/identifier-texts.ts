import { texts } from './texts/en.ts';

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
  /** The link from the page of the code back to this field. */
  change: string;
}

/** The texts around the field for an address or number; undefined when no channel is set up. */
export function identifierTexts({ sms, email }: Channels): IdentifierTexts | undefined {
  const { both, email: byEmail, phone } = texts.identifier;
  if (sms && email) return both;
  if (email) return byEmail;
  return sms ? phone : undefined;
}
