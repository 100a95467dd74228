import { channelRules, type Subject } from '../../areas/realtime/channels.ts';
import { ReplyError } from './codes.ts';

type Procedure = (subject: Subject) => unknown;

function whoami({ principal, isCleared }: Subject) {
  if (principal === undefined) return { kind: 'anonymous' };
  return {
    kind: principal.kind,
    id: principal.id,
    scopes: principal.scopes,
    ...(principal.kind === 'user' ? { roles: principal.roles, device_cleared: isCleared } : {}),
  };
}

/** The channels with what this one may do there; of a family whether there may be one. */
function channels(subject: Subject) {
  const own = subject.principal?.kind === 'user' ? subject.principal.id : '';
  return Object.values(channelRules).map(
    ({ name, description, history, endpoints, maySubscribe, mayPublish, hasPresence }) => ({
      channel: name,
      description,
      endpoints,
      history: history.size,
      presence: hasPresence,
      subscribe: maySubscribe(subject, own),
      publish: mayPublish(subject),
    }),
  );
}

/** What clients may call with `rpc`. Throws ReplyError `method_not_found`. */
export function createProcedures({ status }: { status: () => unknown }) {
  const procedures = new Map<string, Procedure>([
    ['whoami', whoami],
    ['channels', channels],
    ['status.summary', status],
    ['ping', () => 'pong'],
  ]);
  return (subject: Subject, method: string): unknown => {
    const procedure = procedures.get(method);
    if (procedure === undefined) throw new ReplyError('method_not_found');
    return procedure(subject);
  };
}

export type Procedures = ReturnType<typeof createProcedures>;
