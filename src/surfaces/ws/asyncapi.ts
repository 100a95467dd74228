import { z } from 'zod';
import { channelRules, type ChannelRule, endpoints } from '../../areas/realtime/channels.ts';
import { closings, replyErrors } from './codes.ts';
import { envelopeOf, events } from '../../areas/realtime/events.ts';

const keyOf = (family: string) =>
  family.replace(':', '-of').replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
const messageKey = (type: string) =>
  type.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());
const typesOf = (family: string) =>
  Object.entries(events)
    .filter(([, { channels }]) => channels.some((name) => name === family))
    .map(([type]) => type);
const table = (
  codes: Readonly<Record<string, { code: number } & ({ message: string } | { reason: string })>>,
) =>
  Object.values(codes)
    .map((entry) => `${entry.code} ${'message' in entry ? entry.message : entry.reason}`)
    .join(', ');

function channel([family, { name, description, endpoints: places }]: [string, ChannelRule]) {
  const parameter = /\{(\w+)\}/.exec(name)?.[1];
  return [
    keyOf(family),
    {
      address: name,
      description: `${description} At ${places.join(', ')}.`,
      messages: Object.fromEntries(
        typesOf(family).map((type) => [
          messageKey(type),
          { $ref: `#/components/messages/${messageKey(type)}` },
        ]),
      ),
      ...(parameter === undefined
        ? {}
        : {
            parameters: {
              [parameter]: {
                description: `What the channel is about: its ${parameter.replaceAll('_', ' ')}.`,
              },
            },
          }),
    },
  ] as const;
}

function operation([family, { name }]: [string, ChannelRule]) {
  const key = keyOf(family);
  return [
    `hear-${key}`,
    {
      action: 'send',
      summary: `What is told on ${name}`,
      channel: { $ref: `#/channels/${key}` },
      messages: typesOf(family).map((type) => ({
        $ref: `#/channels/${key}/messages/${messageKey(type)}`,
      })),
    },
  ] as const;
}

function message([type, description]: [string, (typeof events)[keyof typeof events]]) {
  return [
    messageKey(type),
    {
      name: type,
      title: type,
      summary: description.summary,
      contentType: 'application/json',
      payload: z.toJSONSchema(envelopeOf(type, description), { target: 'draft-7', io: 'input' }),
    },
  ] as const;
}

/** The AsyncAPI 3.0 document of the sockets. */
export function asyncApi({ baseUrl, version }: { baseUrl: string; version: string }) {
  const { host, protocol } = new URL(baseUrl);
  const rules = Object.entries(channelRules);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Platform Service realtime',
      version,
      description: [
        "Three WebSockets that speak the JSON form of Centrifugo's client protocol: any of its client libraries connects. `data` of every publication is one of the messages below.",
        'With `?mode=uni`, and for clients that stay silent on /ws/status/, the unidirectional form is spoken.',
        `Error replies: ${table(replyErrors)}.`,
        `Close codes: ${table(closings)}. With 3000-3499 the client comes back, with 3500-3999 it does not.`,
      ].join('\n\n'),
    },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(
      endpoints.map((path) => [
        path.split('/')[2] ?? '',
        {
          host,
          protocol: protocol === 'https:' ? 'wss' : 'ws',
          pathname: path,
          description: `The socket ${path}`,
        },
      ]),
    ),
    channels: Object.fromEntries(rules.map(channel)),
    operations: Object.fromEntries(rules.map(operation)),
    components: { messages: Object.fromEntries(Object.entries(events).map(message)) },
  };
}
