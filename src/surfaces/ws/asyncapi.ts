import { z } from 'zod';
import { channelRules, type ChannelRule, endpoints } from '../../areas/realtime/channels.ts';
import { envelopeOf, events } from '../../areas/realtime/events.ts';
import { disconnects, replyErrors } from './codes.ts';

export interface AsyncApiOptions {
  baseUrl: string;
  version: string;
}

type NamedRule = [namespace: string, rule: ChannelRule];
type NamedEvent = [type: string, event: (typeof events)[keyof typeof events]];

const camelCase = (text: string, separator: string): string =>
  text
    .split(separator)
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('');
const channelKey = (namespace: string): string => namespace.replace(':', 'Of');
const messageKey = (type: string): string => camelCase(type, '.');
const messagesOf = (namespace: string): string[] =>
  Object.entries(events)
    .filter(([, { channels }]) => channels.some((name) => name === namespace))
    .map(([type]) => messageKey(type));

function toChannel([namespace, { name, description, endpoints: paths }]: NamedRule) {
  const [, parameter] = /\{(\w+)\}/.exec(name) ?? [];
  const about = `What the channel is about: its ${parameter?.replaceAll('_', ' ')}.`;
  return [
    channelKey(namespace),
    {
      address: name,
      description: `${description} At ${paths.join(', ')}.`,
      messages: Object.fromEntries(
        messagesOf(namespace).map((key) => [key, { $ref: `#/components/messages/${key}` }]),
      ),
      ...(parameter === undefined ? {} : { parameters: { [parameter]: { description: about } } }),
    },
  ] as const;
}

function toOperation([namespace, { name }]: NamedRule) {
  const channel = `#/channels/${channelKey(namespace)}`;
  return [
    `send-${channelKey(namespace)}`,
    {
      action: 'send',
      summary: `Messages on ${name}`,
      channel: { $ref: channel },
      messages: messagesOf(namespace).map((key) => ({ $ref: `${channel}/messages/${key}` })),
    },
  ] as const;
}

const toMessage = ([type, event]: NamedEvent) =>
  [
    messageKey(type),
    {
      name: type,
      title: type,
      summary: event.summary,
      contentType: 'application/json',
      payload: z.toJSONSchema(envelopeOf(type, event), { target: 'draft-7', io: 'input' }),
    },
  ] as const;

const errorList = Object.values(replyErrors)
  .map(({ code, message }) => `${code} ${message}`)
  .join(', ');
const disconnectList = Object.values(disconnects)
  .map(({ code, reason }) => `${code} ${reason}`)
  .join(', ');

const description = [
  "Three WebSockets that speak the JSON form of Centrifugo's client protocol: any of its client " +
    'libraries connects. `data` of every publication is one of the messages below.',
  'With `?mode=uni`, and for clients that stay silent on /ws/status/, the unidirectional form is ' +
    'spoken.',
  `Error replies: ${errorList}.`,
  `Close codes: ${disconnectList}. With 3000-3499 the client comes back, with 3500-3999 it does ` +
    'not.',
].join('\n\n');

/** Creates the AsyncAPI 3.0 document of the sockets. */
export function createAsyncApi({ baseUrl, version }: AsyncApiOptions) {
  const { host, protocol: scheme } = new URL(baseUrl);
  const protocol = scheme === 'https:' ? 'wss' : 'ws';
  const rules: NamedRule[] = Object.entries(channelRules);
  const toServer = (pathname: string) =>
    [
      pathname.split('/')[2] ?? '',
      { host, protocol, pathname, description: `The socket ${pathname}` },
    ] as const;
  return {
    asyncapi: '3.0.0',
    info: { title: 'Platform Service realtime', version, description },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(endpoints.map(toServer)),
    channels: Object.fromEntries(rules.map(toChannel)),
    operations: Object.fromEntries(rules.map(toOperation)),
    components: { messages: Object.fromEntries(Object.entries(events).map(toMessage)) },
  };
}
