import { count, plural } from '../../../components/number-format.ts';

/** Sockets, channels and the inspector of messages. */
export const realtime = {
  title: 'Realtime',
  figures: {
    label: 'Sockets on this replica',
    connections: 'Connections',
    subscriptions: 'Subscriptions',
    onReplica: 'On this replica',
    sent: 'Messages sent',
    sinceStart: 'Since the process started',
    slow: 'Disconnected',
    slowNote: 'Clients that read too slowly',
  },
  sockets: {
    title: 'Sockets',
    caption: 'Sockets on this replica',
    columns: { socket: 'Socket', connections: 'Connections', subscriptions: 'Subscriptions' },
  },
  inspector: {
    title: 'Inspector',
    hint: 'Connects to /ws/svc/ with your permissions.',
    channel: 'Channel',
    listening: (p: { channel: string; count: number }) =>
      `${p.channel} (${count(p.count)} listening)`,
    listen: 'Listen',
    needsScript:
      'The inspector needs JavaScript. Any WebSocket client can subscribe to public channels:',
    notConnected: 'Not connected',
    pause: 'Pause',
    clear: 'Clear',
    history: 'Show history',
    presence: 'Show subscribers',
    none: 'No messages yet.',
    order: 'Newest first, up to 200.',
    messages: 'Messages',
  },
  publish: {
    title: (p: { channel: string }) => `Publish to ${p.channel}`,
    hint: 'All subscribers of this channel receive the message.',
    message: 'Message (JSON)',
    submit: 'Publish',
    done: (p: { channel: string }) => `Published to ${p.channel}.`,
  },
  channels: {
    title: 'Channels',
    hint: 'Channels you can subscribe to. Select one to inspect it.',
    caption: 'Channels you can subscribe to',
    asyncApi: 'AsyncAPI document',
    guide: 'Guide',
    columns: {
      channel: 'Channel',
      purpose: 'Purpose',
      messages: 'Messages',
      history: 'History',
      access: 'Access',
      listening: 'Listening now',
    },
    types: (p: { count: number }) => plural(p.count, 'type'),
    history: (p: { messages: number; duration: string }) =>
      `${count(p.messages)} messages, ${p.duration}`,
    noHistory: 'None',
    subscribe: 'Subscribe',
    publish: 'Subscribe, publish',
  },
};
