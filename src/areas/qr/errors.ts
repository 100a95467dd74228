import { defineErrors } from '../../platform/errors/errors.ts';

export const qrErrors = defineErrors('qr', {
  not_found: [404, 'No QR code has this id.'],
  target_not_found: [404, 'This QR code had no such target. List the previous targets again.'],
  batch_not_found: [404, 'No file of QR codes has this id.'],
  batch_running: [409, 'The codes of this file are still being created. Try again in a minute.'],
  code_taken: [409, 'Another QR code uses this short link. Choose another one.'],
  content_fixed: [
    409,
    'A static code’s content is part of its picture and can’t change, and it has no short link ' +
      'to set conditions for. Create another code.',
  ],
  not_dynamic: [409, 'A static code has no short link, so it has no previous targets.'],
  too_long: [
    422,
    'The text is too long for this error correction level. Shorten it, or use a lower level.',
    ['body', 'content'],
  ],
  unreadable: [
    422,
    'A decoder can’t read this code. The message says what to change.',
    ['body', 'style'],
  ],
  logo_unknown: [422, 'No logo has this id. Upload it first.', ['body', 'style', 'logo']],
  logo_not_found: [404, 'No logo has this id.'],
  logo_used: [409, 'A QR code uses this logo. Choose another logo for that code first.'],
  logo_type: [415, 'A logo must be a PNG, JPEG or WebP picture.'],
  logo_unreadable: [422, 'This picture is damaged, or has more than 40 million pixels.'],
  too_many_logos: [409, 'There are already 200 logos. Delete one that no code uses.'],
  busy: [503, 'Too many pictures are being drawn. Try again in a few seconds.'],
  unknown: [404, 'There is no such code. Scan it again, or check the spelling.'],
  paused: [410, 'This code is paused. Try again later.'],
  not_yet: [403, 'This code does not work yet. `starts_at` says when it will.'],
  expired: [410, 'This code has expired.'],
  used_up: [410, 'This code has reached its scan limit.'],
  password_tries: [
    429,
    'Too many wrong passwords. Try again after the time in the `Retry-After` header.',
  ],
  password_busy: [503, 'Too many passwords are being checked. Try again in a few seconds.'],
});
