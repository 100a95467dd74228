import { z } from 'zod';
import { preferredType } from '../../../lib/net/accept.ts';
import { varyOn } from '../../../platform/http/vary.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { NfcContext } from '../compose.ts';
import { nfcErrors } from '../errors.ts';
import {
  EncodingQuery,
  EncodingView,
  NdefQuery,
  NdefView,
  NfcTagView,
  ReencodeBody,
  TagParams,
} from '../schemas.ts';
import { hex } from './service.ts';

const operation = operationsOf<NfcContext>({ scope: 'admin', tag: 'nfc' });
const changes = limited({ max: 60, seconds: 60 });

const binary = z.any().meta({ type: 'string', format: 'binary', examples: ['\u0000…'] });
const ndefTypes = ['application/json', 'application/octet-stream'] as const;

/** What is written to chips, for admins. */
export const encodingOperations = [
  operation({
    id: 'nfcTags.get_ndef',
    path: 'GET /api/v1/nfc/tags/:id/ndef',
    summary: 'Get the NDEF message for a tag',
    description:
      'What to write to the chip: for NTAG 21x chips a TLV from page 4 on, for NTAG 424 ' +
      'chips file 2. As JSON, or as bytes with `Accept: application/octet-stream`.',
    params: TagParams,
    query: NdefQuery,
    errors: ['nfc.tag_not_found', 'nfc.url_too_long'],
    schema: {
      response: {
        200: {
          content: {
            'application/json': { schema: NdefView },
            'application/octet-stream': { schema: binary },
          },
        },
      },
    },
    async run({ nfc }, { id, format }, { request, reply }) {
      varyOn(reply, 'accept');
      const { url, message, memory, capacity } = await nfc.encoding.ndef(id);
      const wantsBytes = preferredType(request.headers.accept, ndefTypes) === ndefTypes[1];
      if ((format ?? (wantsBytes ? 'bytes' : 'json')) === 'bytes')
        return reply.type('application/octet-stream').send(memory);
      return {
        records: [{ type: 'uri', uri: url }],
        message: hex(message),
        memory: hex(memory),
        capacity,
      };
    },
  }),
  operation({
    id: 'nfcTags.get_encoding',
    path: 'GET /api/v1/nfc/tags/:id/encoding',
    summary: 'Get the encoding instructions for a tag',
    description:
      'The URL with its placeholders, all offsets, and the bytes of the chip’s settings. ' +
      'With `keys=true` also the keys, for admins who signed in within the last five ' +
      'minutes; API keys never see them. The audit log records who did.',
    limit: changes,
    params: TagParams,
    query: EncodingQuery,
    output: EncodingView,
    errors: [
      'nfc.tag_not_found',
      'nfc.not_sun',
      'nfc.url_too_long',
      'nfc.person_required',
      'nfc.keys_unreadable',
      'auth.step_up_required',
    ],
    run({ nfc: { encoding } }, { id, keys, uid }, { request, by }) {
      if (keys !== 'true') return encoding.sheet(id);
      if (request.principal?.kind !== 'user') throw nfcErrors.person_required();
      return encoding.sheetWithKeys(id, { uid, by });
    },
  }),
  operation({
    id: 'nfcTags.reencode',
    path: 'POST /api/v1/nfc/tags/:id/reencode',
    summary: 'Give a tag new keys',
    description:
      'Call this before you encode a chip again. The tag gets the newest master key or the ' +
      'keys in the request, and other settings if sent. Its counter restarts. From then ' +
      'on, messages with the previous keys are rejected. Requires a sign-in within the ' +
      'last five minutes. Send an `Idempotency-Key` header to retry safely.',
    limit: changes,
    params: TagParams,
    body: ReencodeBody,
    output: NfcTagView,
    errors: [
      'nfc.tag_not_found',
      'nfc.not_sun',
      'nfc.keys_unchanged',
      'nfc.tag_changed',
      'nfc.uid_taken',
      'auth.step_up_required',
    ],
    async run({ nfc }, { id, ...body }, { by }) {
      await nfc.encoding.reencode(id, body, by);
      return nfc.tags.get(id);
    },
  }),
];
