import { defineErrors } from '../../platform/errors/errors.ts';

export const settingsErrors = defineErrors('settings', {
  logo_type: [415, 'Send the logo as a PNG, SVG, JPEG or WebP picture.'],
  logo_unreadable: [
    422,
    'This picture can’t be read, or has more than 40 million pixels. Send another one.',
  ],
  logo_missing: [404, 'There is no logo.'],
  fixed: [
    409,
    'This is set by an environment variable. Change the variable where the service starts, then ' +
      'restart.',
  ],
  changed_since: [409, 'The settings have been changed since then. Nothing was undone.'],
  busy: [503, 'Too many pictures are being processed. Try again in a few seconds.'],
});
