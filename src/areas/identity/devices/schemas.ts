import { z } from 'zod';
import { trimmedLine } from '../../../platform/validation/text-schemas.ts';
import { bindings, deviceStates } from './states.ts';

const time = z.iso.datetime();
const short = z.string().max(64);
// Approvers read this text: it must not contain bidirectional overrides or line breaks.
const DeviceName = trimmedLine(64).min(1);
const DeviceWords = trimmedLine(280);
const [name, words] = [DeviceName, DeviceWords];
const fingerprint = z
  .string()
  .min(1)
  .max(512)
  .meta({ examples: ['f3a91c7e'] });
const coordinate = z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes as base64url');

/** A public key of the curve P-256 (RFC 7517, RFC 7518 §6.2). */
const PublicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
});

export const DeviceFingerprintBody = z
  .object({
    fingerprint: fingerprint.describe(
      'Fingerprint computed by the client. Stored as an HMAC for comparison; not proof ' +
        'of identity.',
    ),
    device_id: short
      .optional()
      .describe('Device traits reported by the client; not proof of identity.'),
    device_name: name
      .optional()
      .describe('Name of the device. Default: browser and operating system.'),
    platform: short.optional(),
    os: short.optional(),
    os_version: short.optional(),
    browser: short.optional(),
    browser_version: short.optional(),
    user_agent: z.string().max(512).optional(),
    language: short.optional(),
    languages: z.array(short).max(16).optional(),
    timezone: short.optional(),
    screen: z.object({ w: z.number(), h: z.number(), dpr: z.number().optional() }).optional(),
    hardware_concurrency: z.number().optional(),
    device_memory: z.number().optional(),
    touch: z.union([z.boolean(), z.number()]).optional(),
    canvas_hash: z.string().max(128).optional(),
    webgl_hash: z.string().max(128).optional(),
    app_version: short.optional(),
    public_key: PublicKey.optional().describe(
      'Public key of the device. Requires a `proof`, here or in the DPoP header.',
    ),
    proof: z
      .string()
      .max(8192)
      .optional()
      .describe(
        'DPoP proof (RFC 9449) for this request with the `nonce` from the previous ' +
          'response, for clients that cannot set the header.',
      ),
    attestation: z.string().max(4096).optional().describe('Accepted but ignored.'),
    reason: words.optional().describe('Reason for the request, shown to the approving admin.'),
  })
  .meta({ id: 'DeviceFingerprintBody' });
export type DeviceFingerprintBody = z.output<typeof DeviceFingerprintBody>;

export const RevokeDeviceBody = z
  .object({
    device_id: z.string().max(64).optional(),
    fingerprint: fingerprint
      .optional()
      .describe('Alternative to `device_id`: your devices with this fingerprint.'),
    reason: words.optional(),
    all_others: z.boolean().optional().describe('All your devices except the current one.'),
  })
  .refine(
    ({ device_id: id, fingerprint: print, all_others: all }) =>
      id !== undefined || print !== undefined || all === true,
    { path: ['device_id'], message: 'Field required' },
  )
  .meta({
    id: 'RevokeDeviceBody',
    examples: [
      { device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031', reason: 'Lost on a train' },
      { all_others: true },
    ],
  });

const state = z.enum(deviceStates);
const binding = z
  .enum(bindings)
  .describe(
    'How the device proves its identity, from weakest to strongest: `fingerprint` (no ' +
      'proof), `cookie`, `key`, `webauthn`.',
  );
const requirements = z
  .array(z.enum(['sign_in', 'clearance', 'stronger_binding', 'key_proof', 'passkey_proof']))
  .describe(
    'Requirements that this request does not meet yet, for actions that need an approved ' +
      'device.',
  );
const reasons = z
  .array(
    z.object({ code: z.string().describe('Rule that suspended the device.'), text: z.string() }),
  )
  .describe('Reasons for the suspension.');

export const DeviceStatusView = z
  .object({
    device_id: z.uuid().nullable(),
    state,
    binding,
    cleared: z.boolean(),
    trust_score: z.int().min(0).max(100).describe('For sorting only.'),
    reasons,
    first_seen: time.nullable(),
    last_seen: time.nullable(),
    expires_at: time.nullable(),
    nonce: z.string().describe('For the next DPoP proof.'),
    requirements,
  })
  .meta({
    id: 'DeviceStatus',
    description: 'The state of this device and the requirements it does not meet yet.',
    examples: [
      {
        device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
        state: 'pending',
        binding: 'cookie',
        cleared: false,
        trust_score: 40,
        reasons: [],
        first_seen: '2026-05-04T09:30:00.000Z',
        last_seen: '2026-05-04T10:15:00.000Z',
        expires_at: null,
        nonce: 'n-0S6_WzA2Mj',
        requirements: ['clearance'],
      },
    ],
  });

export const ApprovalView = z
  .object({
    request_id: z.uuid().nullable().describe('Null if no approval was needed.'),
    device_id: z.uuid(),
    state,
    binding,
    expires_at: time.nullable(),
    number: z.string().nullable().describe('Two digits. Share them only with the approving admin.'),
    nonce: z.string(),
  })
  .meta({
    id: 'ClearanceRequest',
    description: 'The approval request, with the number to give to the approving admin.',
    examples: [
      {
        request_id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
        state: 'pending',
        binding: 'cookie',
        expires_at: '2026-05-05T09:30:00.000Z',
        number: '42',
        nonce: 'n-0S6_WzA2Mj',
      },
    ],
  });

export const DeviceView = z
  .object({
    device_id: z.uuid(),
    name: z.string(),
    state,
    binding,
    current: z.boolean().describe('True for the device that sent this request.'),
    reasons,
    platform: z.string().nullable(),
    os: z.string().nullable(),
    browser: z.string().nullable(),
    network: z
      .string()
      .nullable()
      .describe('Network where it was last used: /24 for IPv4, /48 for IPv6.'),
    country: z.string().nullable().describe('Country of its last use (ISO 3166-1 alpha-2).'),
    first_seen: time,
    last_seen: time,
    cleared_at: time.nullable(),
    expires_at: time.nullable(),
  })
  .meta({
    id: 'Device',
    description: 'The device.',
    examples: [
      {
        device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
        name: 'Ada’s laptop',
        state: 'cleared',
        binding: 'key',
        current: true,
        reasons: [],
        platform: 'desktop',
        os: 'macOS',
        browser: 'Firefox',
        network: '203.0.113.0/24',
        country: 'DE',
        first_seen: '2026-05-04T09:30:00.000Z',
        last_seen: '2026-05-04T10:15:00.000Z',
        cleared_at: '2026-05-04T09:30:00.000Z',
        expires_at: '2026-08-02T09:30:00.000Z',
      },
    ],
  });
export type DeviceView = z.output<typeof DeviceView>;

export const DeviceList = z
  .object({ devices: z.array(DeviceView).describe('Most recently used first.'), total: z.int() })
  .meta({ id: 'DeviceList', description: 'The devices, most recently used first.' });
export const DeviceListQuery = z.strictObject({
  user_id: z
    .uuid()
    .optional()
    .describe('List the devices of this user. Only for admins on an approved device.'),
});
export const DeviceParams = z.object({ id: z.uuid() });
export const UserDeviceParams = z.object({
  id: z.uuid().describe('The user.'),
  device_id: z.uuid().describe('The device.'),
});
export const RenameBody = z.object({ device_name: name.meta({ examples: ['Ada’s laptop'] }) });
export const RevokedView = z
  .object({
    revoked: z.literal(true),
    device_id: z.uuid().nullable().describe('Null if several devices were removed.'),
    devices: z.int(),
    sessions_ended: z.int(),
  })
  .meta({
    id: 'RevokedDevice',
    description: 'How many devices were removed and how many sessions ended.',
  });

export const RequestListQuery = z.strictObject({
  state: z.enum(['open', 'decided']).default('open'),
});
export const RequestView = z
  .object({
    request_id: z.uuid(),
    device_id: z.uuid(),
    state: z.enum(['open', 'approved', 'denied', 'expired', 'withdrawn']),
    user: z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string().nullable() }),
    own: z.boolean().describe('True for your own device: another admin must decide.'),
    device_name: z.string(),
    binding,
    os: z.string().nullable(),
    browser: z.string().nullable(),
    network: z.string().nullable(),
    country: z.string().nullable(),
    reason: z.string().nullable(),
    created_at: time,
    expires_at: time,
    decided_at: time.nullable(),
    decided_by: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({
    id: 'PendingRequest',
    examples: [
      {
        request_id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
        state: 'open',
        user: {
          id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
        },
        own: false,
        device_name: 'Ada’s laptop',
        binding: 'key',
        os: 'macOS',
        browser: 'Firefox',
        network: '203.0.113.0/24',
        country: 'DE',
        reason: 'A new laptop',
        created_at: '2026-05-04T09:30:00.000Z',
        expires_at: '2026-05-05T09:30:00.000Z',
        decided_at: null,
        decided_by: null,
        note: null,
      },
    ],
  });
export const RequestList = z.object({ requests: z.array(RequestView), total: z.int() }).meta({
  id: 'PendingRequestList',
  description: 'The approval requests that match the requested state.',
});

export const ApproveBody = z.object({
  number: z
    .string()
    .regex(/^\d{2}$/, 'must be two digits')
    .describe('The number shown on the device.')
    .meta({ examples: ['42'] }),
  note: words.optional(),
});
export const DenyBody = z
  .object({ note: words.optional().meta({ examples: ['Not a device of this company'] }) })
  .nullish();
export const DecidedView = z.object({ device_id: z.uuid(), state }).meta({
  id: 'DecidedDevice',
  description: 'The device and its new state.',
  examples: [{ device_id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031', state: 'cleared' }],
});
