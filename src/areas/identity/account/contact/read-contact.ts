import {
  emailIdentifier,
  hasPhoneRules,
  type Identifier,
  phoneIdentifier,
} from '../../../../lib/identifiers.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../../platform/validation/validation-error.ts';

const invalid = (field: string, message: string): Error =>
  new RequestValidationError([valueError(['body', field], message)]);

/** Parses the email address of a body. Throws a RequestValidationError. */
export function readEmail(text: string): Identifier {
  const identifier = emailIdentifier(text);
  if (identifier === undefined)
    throw invalid('email', 'must be an email address, such as name@example.com');
  return identifier;
}

/** Parses the phone number of a body. Throws a RequestValidationError. */
export async function readPhone(text: string, country: string | undefined): Promise<Identifier> {
  if (country !== undefined && !(await hasPhoneRules(country)))
    throw invalid('country', 'no country with phone numbers has this ISO 3166-1 alpha-2 code');
  const identifier = await phoneIdentifier(text, country);
  if (identifier === undefined)
    throw invalid(
      'phone',
      'a phone number must start with a plus sign and its country code, such as +14155550132; ' +
        'otherwise send its `country`',
    );
  return identifier;
}
