import { limit } from '../../platform/http/limits/rate-limit.ts';
import { contactLimits, maxPerEmail } from './limits.ts';

/** Fits the longest message with every character percent-encoded. */
export const contactBodyLimit = 64 * 1024;

/** The limit of requests, which bounds the work of verifying; messages have limits of their own. */
export const contactPostLimit = {
  rateLimit: limit({ max: 30, seconds: 600, group: 'contact', withCredential: 600 }),
};

/** The errors of a message that is refused. */
export const contactErrorCodes = [
  'contact.too_many',
  'contact.proof_invalid',
  'contact.proof_expired',
  'contact.proof_used',
  'contact.form_expired',
  'contact.too_fast',
] as const;

const { solved, none, key } = contactLimits;

/** The limits in words, for the API reference. */
export const sentence =
  `Messages accepted in an hour: with a solved challenge ${solved.client} from one address, ` +
  `${solved.network} from its network (/24 or /48) and ${solved.hour} in total (${solved.day} a ` +
  `day); without one ${none.client}, ${none.network} and ${none.hour} (${none.day} a day); with ` +
  `an API key ${key.hour} in total (${key.day} a day). More than ${maxPerEmail} in an hour from ` +
  'one email address are filed as spam.';
