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
    'Another account already uses this address or number. Sign in to that account, or use a ' +
      'different address or number.',
  ],
  undo_invalid: [
    410,
    'This link no longer works. It can be used only once, within seven days of the change. If ' +
      'you did not make the change, contact us.',
  ],
  undo_taken: [
    409,
    'Another account now uses the old address or number, so it cannot be restored. Contact us.',
  ],
  last_admin: [
    409,
    'You are the only admin. Make someone else an admin, then delete your account.',
  ],
  export_not_ready: [404, 'There is no file. Start an export, then wait until it is ready.'],
});
