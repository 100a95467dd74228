import { channelRules, type Subject } from '../../../areas/realtime/channels.ts';
import { ReplyError } from '../codes.ts';

type RpcMethod = (subject: Subject) => unknown;

function whoami({ principal, isCleared }: Subject) {
  if (principal === undefined) return { kind: 'anonymous' };
  return {
    kind: principal.kind,
    id: principal.id,
    scopes: principal.scopes,
    ...(principal.kind === 'user' ? { roles: principal.roles, device_cleared: isCleared } : {}),
  };
}

/** The channels with the permissions of the subject. For patterns: of any matching channel. */
function channels(subject: Subject) {
  const ownId = subject.principal?.kind === 'user' ? subject.principal.id : '';
  return Object.values(channelRules).map(
    ({ name, description, history, endpoints, maySubscribe, mayPublish, hasPresence }) => ({
      channel: name,
      description,
      endpoints,
      history: history.size,
      presence: hasPresence,
      subscribe: maySubscribe(subject, ownId),
      publish: mayPublish(subject),
    }),
  );
}

/** Creates the methods of the `rpc` command. Throws ReplyError `method_not_found`. */
export function createRpc({ status }: { status: () => unknown }) {
  const methods = new Map<string, RpcMethod>([
    ['whoami', whoami],
    ['channels', channels],
    ['status.summary', status],
    ['ping', () => 'pong'],
  ]);
  return (subject: Subject, name: string): unknown => {
    const method = methods.get(name);
    if (method === undefined) throw new ReplyError('method_not_found');
    return method(subject);
  };
}

export type Rpc = ReturnType<typeof createRpc>;
