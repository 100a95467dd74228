import { defineErrors } from '../../../platform/errors/errors.ts';

export const accountErrors = defineErrors('account', {
  avatar_type: [
    415,
    'Only JPEG, PNG and WebP pictures are accepted. Convert the file, then upload it again.',
  ],
  avatar_unreadable: [
    422,
    'The picture is damaged, or has more than 40 million pixels. Upload another one.',
    ['body'],
  ],
  avatar_busy: [503, 'Too many pictures are being processed. Try again in a moment.'],
  avatar_not_found: [404, 'No picture has this address. It may have been replaced.'],
  too_many_changes: [
    429,
    'You have made this change too often. Try again after the time in the Retry-After header.',
  ],
  contact_taken: [
    409,
    'Another account signs in with this address or number. Sign in with it, or use another one.',
  ],
  undo_invalid: [
    410,
    'This link does not work anymore. It works once, within seven days. If the change was not ' +
      'yours, contact us.',
  ],
  undo_taken: [
    409,
    'Another account signs in with the old address or number now, so it cannot be restored. ' +
      'Contact us.',
  ],
  last_admin: [
    409,
    'You are the only admin. Make someone else an admin, then delete your account.',
  ],
  export_not_ready: [404, 'There is no file. Start an export, then wait until it is ready.'],
});
