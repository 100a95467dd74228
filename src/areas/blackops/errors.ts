import { defineErrors } from '../../platform/errors/errors.ts';

export const blackopsErrors = defineErrors('blackops', {
  device_not_cleared: [
    403,
    'This needs a cleared device. Ask for clearance at /account/devices; ' +
      '`requirements` lists what is missing.',
  ],
  invalid_dpop_proof: [
    401,
    'The DPoP proof is not valid for this request (RFC 9449 §4.3). ' +
      'Make a new one for each request.',
  ],
  use_dpop_nonce: [
    401,
    'The DPoP proof must carry the nonce of the DPoP-Nonce header (RFC 9449 §9). ' +
      'Make a new one with it.',
  ],
  binding_required: [
    400,
    'A client without cookies must send a `public_key` with a `proof`: ' +
      'a fingerprint alone can not be cleared.',
  ],
  too_many_requests: [
    429,
    'You have asked for clearance too often. Wait, or remove open requests at /account/devices.',
  ],
  device_not_found: [404, 'There is no such device.'],
  device_denied: [
    403,
    'Clearance was refused to this device. Remove it, then ask again as a new one.',
  ],
  device_suspended: [
    403,
    'This device is suspended. Restore it with your second factor, or ask an admin.',
  ],
  device_revoked: [403, 'This device was removed for good. Ask again: it will be a new one.'],
  transition_not_allowed: [409, 'The device is in a state from which this is not possible.'],
  request_not_found: [404, 'There is no such request.'],
  already_decided: [409, 'This request is not open any more.'],
  own_request: [403, 'Somebody else must decide on your own device.'],
  wrong_number: [
    400,
    'This is not the number that the asking device shows. ' +
      'Ask its owner; after three wrong ones the request is denied.',
  ],
  aal2_required: [
    401,
    'This needs a sign-in with the second factor. Sign in again, then repeat it.',
  ],
  not_this_device: [403, 'A suspended device is restored from the device itself, or by an admin.'],
  passkey_refused: [
    400,
    'The passkey was not accepted: it must be bound to this device, and verify you.',
  ],
});
