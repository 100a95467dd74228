import { defineErrors } from '../../platform/errors/errors.ts';

export const nfcErrors = defineErrors('nfc', {
  tag_not_found: [404, 'No NFC tag has this id.'],
  alarm_not_found: [404, 'No NFC alarm has this id.'],
  code_taken: [409, 'Another tag has this code. Choose another one, or omit it.'],
  uid_taken: [409, 'Another tag has this UID. Each chip has its own UID.'],
  uid_fixed: [
    409,
    'This tag has already been tapped, so its UID cannot change. If its chip was replaced, ' +
      're-encode the tag with the UID of the new chip.',
  ],
  not_sun: [409, 'Only tags with the mode `sun` have keys. This tag has none to change.'],
  keys_unchanged: [
    409,
    'A tag that has been tapped needs new keys, otherwise old messages would count again. ' +
      'Rotate the master key first, or send new keys.',
  ],
  tag_changed: [409, 'This tag was changed at the same time. Read it again, then retry.'],
  url_too_long: [
    409,
    'The URL of this tag does not fit its chip. Use a chip with more memory, a shorter BASE_URL, ' +
      'or less file data.',
  ],
  person_required: [403, 'Only admins who are signed in can see a tag’s keys. API keys cannot.'],
  keys_unreadable: [
    503,
    'This tag’s keys were encrypted with another AUTH_SECRET. Restore that secret, or re-encode ' +
      'the tag.',
  ],
  unknown_code: [404, 'No NFC tag has this code.'],
  inactive: [410, 'This NFC tag is switched off.'],
  tap_refused: [
    403,
    'This is not a new message from a genuine tag. Hold the phone to the tag again; each ' +
      'message counts once.',
  ],
});
