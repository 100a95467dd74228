import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { preferredType } from '../../../lib/net/accept.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { noStore } from '../../../platform/http/security.ts';
import { varyOn } from '../../../platform/http/vary.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import type { Guards } from '../../identity/sessions/guards.ts';
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
import type { Reencode } from './reencoding.ts';
import type { Encoding } from './service.ts';

export interface EncodingRoutesOptions {
  nfcEncoding: Encoding;
  reencodeTag: Reencode;
  nfcTags: BoundResource;
  guards: Pick<Guards, 'requireFresh'>;
}

const tags = ['nfc'];
const read = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const change = { rateLimit: limit({ max: 60, seconds: 60 }) };

const binary = z.any().meta({ type: 'string', format: 'binary', examples: ['\u0000…'] });

const ndefTypes = ['application/json', 'application/octet-stream'] as const;

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();

function ndefRoute(app: ZodApp, { nfcEncoding }: EncodingRoutesOptions): void {
  app.get(
    '/api/v1/nfc/tags/:id/ndef',
    {
      config: read,
      schema: {
        operationId: 'nfcTags.get_ndef',
        summary: 'Get the NDEF message of a tag',
        description:
          'What to write to the chip: for NTAG 21x chips a TLV from page 4 on, for NTAG 424 ' +
          'chips file 2. As JSON, or as bytes with `Accept: application/octet-stream`.',
        tags,
        params: TagParams,
        querystring: NdefQuery,
        errors: ['nfc.tag_not_found', 'nfc.url_too_long'],
        response: {
          200: {
            content: {
              'application/json': { schema: NdefView },
              'application/octet-stream': { schema: binary },
            },
          },
        },
      },
    },
    async (request, reply) => {
      varyOn(reply, 'accept');
      const { url, message, memory, capacity } = await nfcEncoding.ndef(request.params.id);
      const wantsBytes = preferredType(request.headers.accept, ndefTypes) === ndefTypes[1];
      if ((request.query.format ?? (wantsBytes ? 'bytes' : 'json')) === 'bytes')
        return reply.type('application/octet-stream').send(memory);
      return reply.send({
        records: [{ type: 'uri', uri: url }],
        message: hex(message),
        memory: hex(memory),
        capacity,
      });
    },
  );
}

function encodingRoute(app: ZodApp, { nfcEncoding, guards }: EncodingRoutesOptions): void {
  app.get(
    '/api/v1/nfc/tags/:id/encoding',
    {
      config: change,
      schema: {
        operationId: 'nfcTags.get_encoding',
        summary: 'Get how to encode a tag',
        description:
          'The URL with its placeholders, all offsets, and the bytes of the chip’s settings. ' +
          'With `keys=true` also the keys, for admins who signed in within the last five ' +
          'minutes; API keys never see them. The audit log records who did.',
        tags,
        params: TagParams,
        querystring: EncodingQuery,
        errors: [
          'nfc.tag_not_found',
          'nfc.not_sun',
          'nfc.url_too_long',
          'nfc.person_required',
          'nfc.keys_unreadable',
          'auth.step_up_required',
        ],
        response: { 200: EncodingView },
      },
    },
    async (request) => {
      const { params, query, principal } = request;
      if (query.keys !== 'true') return nfcEncoding.sheet(params.id);
      if (principal?.kind !== 'user') throw nfcErrors.person_required();
      guards.requireFresh(request);
      return nfcEncoding.sheetWithKeys(params.id, {
        uid: query.uid,
        by: requestActor(request),
      });
    },
  );
}

function reencodeRoute(
  app: ZodApp,
  { reencodeTag, nfcTags: { service }, guards }: EncodingRoutesOptions,
): void {
  app.post(
    '/api/v1/nfc/tags/:id/reencode',
    {
      config: change,
      schema: {
        operationId: 'nfcTags.reencode',
        summary: 'Give a tag new keys',
        description:
          'Before a chip is encoded again: the tag gets the newest master key or new given keys, ' +
          'possibly other settings, and its counter starts again. Messages with the keys before ' +
          'are refused from now on. Requires a sign-in within the last five minutes. ' +
          'Send an `Idempotency-Key` header to retry safely.',
        tags,
        params: TagParams,
        body: ReencodeBody,
        errors: [
          'nfc.tag_not_found',
          'nfc.not_sun',
          'nfc.keys_unchanged',
          'nfc.tag_changed',
          'nfc.uid_taken',
          'auth.step_up_required',
        ],
        response: { 200: NfcTagView },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      const { id } = request.params;
      await reencodeTag(id, request.body, requestActor(request));
      return NfcTagView.parse(await service.get(id));
    },
  );
}

/** What is written to chips, for admins. */
export const encodingRoutes: FastifyPluginAsyncZod<EncodingRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  ndefRoute(app, options);
  encodingRoute(app, options);
  reencodeRoute(app, options);
};
