import type { Config } from '../../config.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import type { Health } from '../health/service.ts';
import { createDeliveryWatch, type DeliveryWatch } from './recording/deliveries.ts';
import { createStatus, type Status } from './service.ts';
import { createSubscriberAdmin } from './subscriptions/admin.ts';
import { createSubscriptionBudget } from './subscriptions/budget.ts';
import { createSubscriptions } from './subscriptions/service.ts';

interface StatusNeeds extends Pick<Comms, 'messages' | 'channels'> {
  audit: Audit;
  health: Health;
}

/** Health checks of email and SMS, for configured providers. */
function deliveryChecks(
  { SMTP_URL: smtp, SMS_URL: sms, TWILIO_ACCOUNT_SID: twilio }: Config,
  watch: DeliveryWatch,
) {
  return {
    email: smtp === undefined ? undefined : watch.check('email'),
    sms: sms === undefined && twilio === undefined ? undefined : watch.check('sms'),
  };
}

/** Creates the public status of the service and the email subscriptions to it. */
export function composeStatus(resources: Resources, { messages, channels, ...needs }: StatusNeeds) {
  const { config, redis, bus, keys } = resources;
  const deliveries = createDeliveryWatch(resources);
  const nameOf = (id: string) =>
    status.state().components.find((component) => component.id === id)?.name ?? [];
  const subscriptions = createSubscriptions({
    ...resources,
    messages,
    isOpen: channels.email,
    componentNames: (ids) => ids.flatMap(nameOf),
    budget: config.RATE_LIMIT
      ? createSubscriptionBudget(redis, keys('status-subscription-budget'))
      : undefined,
  });
  const status: Status = createStatus({
    ...resources,
    ...needs,
    statusOverrides: { email: deliveries.status('email'), sms: deliveries.status('sms') },
    publisher: bus,
    signalReplicas: () => bus.signal('status', ''),
    subscriptions,
  });
  bus.onSignal('status', () => void status.refresh());
  return {
    status,
    subscriptions,
    subscribers: createSubscriberAdmin({ ...resources, ...needs }),
    deliveryChecks: deliveryChecks(config, deliveries),
  };
}

/** The services of the status page: what its operations run with. */
export type StatusContext = ReturnType<typeof composeStatus>;
