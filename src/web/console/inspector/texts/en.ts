const messages = (count: number): string => `${count} ${count === 1 ? 'message' : 'messages'}`;

/** The texts of the inspector of messages. */
export const texts = {
  inspector: {
    unsubscribe: (p: { channel: string }) => `Unsubscribe from ${p.channel}`,
    noHistory: (p: { channel: string }) => `No message history for ${p.channel}.`,
    history: (p: { channel: string; count: number; added: number }) =>
      `History of ${p.channel}: ${messages(p.count)}, ${p.added} added to the list.`,
    presence: (p: { channel: string; connections: number; people: number }) => {
      const connections = p.connections === 1 ? '1 connection' : `${p.connections} connections`;
      return `${p.channel}: ${connections}, ${p.people === 1 ? '1 person' : `${p.people} people`}.`;
    },
    problem: (p: { channel: string; problem: string }) => `${p.channel}: ${p.problem}`,
    published: (p: { channel: string }) => `Published to ${p.channel}.`,
    notJson: 'The message must be valid JSON.',
  },
  messages: {
    none: 'No messages yet.',
    count: (p: { count: number }) => `${messages(p.count)} since you opened this page.`,
    fromHistory: 'History',
    noType: 'message',
    cut: (p: { shown: string; rest: number }) => `${p.shown}\n… ${p.rest} more characters`,
    pause: 'Pause',
    resume: 'Resume',
    resumeQueued: (p: { count: number }) => `Resume (${p.count} new)`,
  },
  connection: {
    connecting: 'Connecting…',
    connected: 'Connected',
    lost: 'Connection lost. Reconnecting…',
    ended: (p: { reason: string }) => `The server closed the connection: ${p.reason}`,
    lessThanSecond: 'less than 1s',
    seconds: (p: { count: number }) => `${p.count}s`,
    /** An outage has ended. */
    restored: (p: { duration: string; late: number; lost: string }) => {
      const missed =
        p.lost === '' ? 'No messages lost' : `Messages on ${p.lost} may have been lost`;
      const late = p.late === 0 ? '' : `, ${messages(p.late)} delivered late`;
      return `Reconnected after ${p.duration}. ${missed}${late}.`;
    },
  },
};
