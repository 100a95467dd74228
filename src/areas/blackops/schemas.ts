import { z } from 'zod';
import { bindings, deviceStates } from './states.ts';

const time = z.iso.datetime();
const short = z.string().max(64);
// Whoever decides reads it: nothing in it may turn the line around, or begin another one.
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u;
export const DeviceName = z.string().trim().min(1).max(64).regex(oneLine, 'must be one line without control characters');
export const DeviceWords = z.string().trim().max(280).regex(oneLine, 'must be one line without control characters');
const [name, words] = [DeviceName, DeviceWords];
const fingerprint = z.string().min(1).max(512);
const coordinate = z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes as base64url');

/** A public key of the curve P-256 (RFC 7517, RFC 7518 §6.2). */
const PublicKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate });

export const DeviceFingerprintBody = z.object({
  fingerprint: fingerprint.describe('What the client has made of its signals. An HMAC of it is kept, to compare; it proves nothing.'),
  device_id: short.optional().describe('What the client believes to be. It proves nothing.'),
  device_name: name.optional().describe('What people call the device. Default: browser and system.'),
  platform: short.optional(), os: short.optional(), os_version: short.optional(), browser: short.optional(), browser_version: short.optional(),
  user_agent: z.string().max(512).optional(), language: short.optional(), languages: z.array(short).max(16).optional(), timezone: short.optional(),
  screen: z.object({ w: z.number(), h: z.number(), dpr: z.number().optional() }).optional(),
  hardware_concurrency: z.number().optional(), device_memory: z.number().optional(), touch: z.union([z.boolean(), z.number()]).optional(),
  canvas_hash: z.string().max(128).optional(), webgl_hash: z.string().max(128).optional(), app_version: short.optional(),
  public_key: PublicKey.optional().describe('The key that the device proves. It needs a `proof`, here or in the DPoP header.'),
  proof: z.string().max(8192).optional().describe('A DPoP proof (RFC 9449) of this request with the `nonce` of the answer before, for clients that can not set the header.'),
  attestation: z.string().max(4096).optional().describe('Taken and not looked at.'),
  reason: words.optional().describe('Why clearance is asked for: whoever decides reads it.'),
}).meta({ id: 'DeviceFingerprintBody' });
export type DeviceFingerprintBody = z.output<typeof DeviceFingerprintBody>;

export const RevokeDeviceBody = z.object({
  device_id: z.string().max(64).optional(),
  fingerprint: fingerprint.optional().describe('In place of `device_id`: the own devices with this fingerprint.'),
  reason: words.optional(),
  all_others: z.boolean().optional().describe('All own devices but the one that asks.'),
}).refine(({ device_id: id, fingerprint: print, all_others: all }) => id !== undefined || print !== undefined || all === true, { path: ['device_id'], message: 'Field required' })
  .meta({ id: 'RevokeDeviceBody' });

const state = z.enum(deviceStates);
const binding = z.enum(bindings).describe('What the device proves, from weakest to strongest: `fingerprint` (nothing), `cookie`, `key`, `webauthn`.');
const requirements = z.array(z.enum(['sign_in', 'clearance', 'stronger_binding', 'key_proof', 'passkey_proof'])).describe('What is missing before this request could do what needs a cleared device.');
const reasons = z.array(z.object({ code: z.string(), text: z.string() })).describe('Why it is suspended, in plain words.');

export const DeviceStatusView = z.object({
  device_id: z.uuid().nullable(), state, binding, cleared: z.boolean(),
  trust_score: z.int().min(0).max(100).describe('To sort by. Nothing is decided by it.'),
  reasons, first_seen: time.nullable(), last_seen: time.nullable(), expires_at: time.nullable(),
  nonce: z.string().describe('For the next DPoP proof.'), requirements,
}).meta({ id: 'DeviceStatus' });

export const ClearanceView = z.object({
  request_id: z.uuid().nullable().describe('Null when nobody had to be asked.'),
  device_id: z.uuid(), state, binding, expires_at: time.nullable(),
  number: z.string().nullable().describe('Two digits: tell them to the admin who decides. Nobody else may see them.'),
  nonce: z.string(),
}).meta({ id: 'ClearanceRequest' });

export const DeviceView = z.object({
  device_id: z.uuid(), name: z.string(), state, binding, current: z.boolean().describe('The device that asks.'), reasons,
  platform: z.string().nullable(), os: z.string().nullable(), browser: z.string().nullable(),
  network: z.string().nullable().describe('Where it was seen last: a /24 of IPv4, a /48 of IPv6.'), country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
  first_seen: time, last_seen: time, cleared_at: time.nullable(), expires_at: time.nullable(),
}).meta({ id: 'Device' });
export type DeviceView = z.output<typeof DeviceView>;

export const DeviceList = z.object({ devices: z.array(DeviceView).describe('Those used last first.'), total: z.int() }).meta({ id: 'DeviceList' });
export const DeviceListQuery = z.object({ user_id: z.uuid().optional().describe('Somebody else\'s, for admins on a cleared device.') });
export const DeviceParams = z.object({ id: z.uuid() });
export const RenameBody = z.object({ device_name: name });
export const RevokedView = z.object({
  revoked: z.literal(true), device_id: z.uuid().nullable().describe('Null when there were several.'), devices: z.int(), sessions_ended: z.int(),
}).meta({ id: 'RevokedDevice' });

export const RequestListQuery = z.object({ state: z.enum(['open', 'decided']).default('open') });
export const RequestView = z.object({
  request_id: z.uuid(), device_id: z.uuid(), state: z.enum(['open', 'approved', 'denied', 'expired', 'withdrawn']),
  user: z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string().nullable() }), own: z.boolean().describe('Your own: somebody else must decide.'),
  device_name: z.string(), binding, os: z.string().nullable(), browser: z.string().nullable(), network: z.string().nullable(), country: z.string().nullable(),
  reason: z.string().nullable(), created_at: time, expires_at: time, decided_at: time.nullable(), decided_by: z.string().nullable(), note: z.string().nullable(),
}).meta({ id: 'PendingRequest' });
export const RequestList = z.object({ requests: z.array(RequestView), total: z.int() }).meta({ id: 'PendingRequestList' });

export const ApproveBody = z.object({ number: z.string().regex(/^\d{2}$/, 'must be two digits').describe('What the asking device shows.'), note: words.optional() });
export const DenyBody = z.object({ note: words.optional() }).nullish();
export const DecidedView = z.object({ device_id: z.uuid(), state }).meta({ id: 'DecidedDevice' });
