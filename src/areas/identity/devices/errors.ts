import { defineErrors } from '../../../platform/errors/errors.ts';

export const blackopsErrors = defineErrors('blackops', {
  device_not_cleared: [
    403,
    'This action requires an approved device. Request approval at /account/devices; ' +
      '`requirements` lists what is missing.',
  ],
  invalid_dpop_proof: [
    401,
    'The DPoP proof is not valid for this request (RFC 9449 §4.3). Create a new proof ' +
      'for each request.',
  ],
  use_dpop_nonce: [
    401,
    'The DPoP proof must contain the nonce from the DPoP-Nonce header (RFC 9449 §9). ' +
      'Create a new proof with it.',
  ],
  binding_required: [
    400,
    'A client without cookies must send `public_key` and `proof`. A device with only a ' +
      'fingerprint cannot be approved.',
  ],
  too_many_requests: [
    429,
    'You have requested approval too often. Wait, or remove pending devices at /account/devices.',
  ],
  device_not_found: [404, 'No device has this id.'],
  device_denied: [
    403,
    'The approval request for this device was denied. Remove the device, then request approval ' +
      'as a new device.',
  ],
  device_suspended: [
    403,
    'This device is suspended. Restore it with your second factor, or ask an admin to ' +
      'restore it.',
  ],
  device_revoked: [
    403,
    'This device was removed permanently. Request approval again; it will count as a new device.',
  ],
  transition_not_allowed: [
    409,
    "The device's current state does not allow this action. Check its state first.",
  ],
  request_not_found: [404, 'No request has this id.'],
  already_decided: [409, 'This request was already decided or withdrawn, or it has expired.'],
  own_request: [403, 'You cannot approve or deny your own device. Ask another admin.'],
  wrong_number: [
    400,
    'The number does not match the one on the device. Ask its owner for the number; ' +
      'after three wrong numbers, the request is denied.',
  ],
  aal2_required: [
    401,
    'This action requires a sign-in with a second factor. Sign in again, then retry.',
  ],
  not_this_device: [
    403,
    'A suspended device can be restored only from the device itself, or by an admin.',
  ],
  passkey_refused: [
    400,
    'The passkey was not accepted. Use a passkey that is bound to this device and ' +
      'verifies you by fingerprint, face or PIN.',
  ],
});
