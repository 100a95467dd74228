import {
  type ChannelRule,
  channelRules,
  type Endpoint,
  type Subject,
} from '../../../areas/realtime/channels.ts';
import { events } from '../../../areas/realtime/events.ts';
import type { Principal } from '../../../platform/identity/identity.ts';
import type { ConsoleServices } from '../context.ts';
import type { ChannelView } from './realtime-page.tsx';

type Services = Pick<ConsoleServices, 'sites' | 'status'>;

/** The socket that the console listens on. */
export const consoleSocket: Endpoint = '/ws/svc/';
const maxNames = 200;

/** The existing channels of a family, each by its name after the colon. */
function topicsOf({ sites, status }: Services, family: string, { principal }: Subject): string[] {
  if (family === 'status:') return status.records().map(({ id }) => id);
  if (family === 'analytics:') return sites.list().map(({ key }) => key);
  return family === 'svc:' && principal?.kind === 'user' ? [principal.id] : [];
}

const messageTypes = (family: string): ChannelView['types'] =>
  Object.entries(events)
    .filter(([, { channels }]) => channels.some((each) => each === family))
    .map(([type, { summary }]) => ({ type, summary }));

/** The channels of `consoleSocket` that a user on an approved device may subscribe to. */
export function channelsFor(services: Services, principal: Principal | undefined): ChannelView[] {
  const subject: Subject = { principal, isCleared: true };
  const rules: [string, ChannelRule][] = Object.entries(channelRules);
  return rules.flatMap(([family, rule]) => {
    const { name, description, history, endpoints } = rule;
    const topics = family.endsWith(':') ? topicsOf(services, family, subject) : [''];
    if (!endpoints.includes(consoleSocket) || !rule.maySubscribe(subject, topics[0] ?? ''))
      return [];
    return [
      {
        name,
        description,
        history,
        mayPublish: rule.mayPublish(subject),
        types: messageTypes(family),
        names: topics.slice(0, maxNames).map((topic) => family + topic),
      },
    ];
  });
}
