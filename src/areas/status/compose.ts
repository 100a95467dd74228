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

/** Creates the email subscriptions to status updates. */
function composeSubscriptions(
  { config, clock, db, redis, queues, keys, baseOrigin }: Resources,
  { messages, channels }: StatusNeeds,
  state: Status['state'],
) {
  const nameOf = (id: string) =>
    state().components.find((component) => component.id === id)?.name ?? [];
  return createSubscriptions({
    db,
    messages,
    queues,
    keys,
    clock,
    baseOrigin,
    isOpen: channels.email,
    componentNames: (ids) => ids.flatMap(nameOf),
    budget: config.RATE_LIMIT
      ? createSubscriptionBudget(redis, keys('status-subscription-budget'))
      : undefined,
  });
}

/** Creates the public status of the service and the email subscriptions to it. */
export function composeStatus(resources: Resources, needs: StatusNeeds) {
  const { config, clock, logger, db, bus, baseUrl } = resources;
  const { audit, health } = needs;
  const deliveries = createDeliveryWatch({ db, clock });
  const subscriptions = composeSubscriptions(resources, needs, () => status.state());
  const status: Status = createStatus({
    db,
    health,
    statusOverrides: { email: deliveries.status('email'), sms: deliveries.status('sms') },
    publisher: bus,
    audit,
    clock,
    logger,
    baseUrl,
    name: config.APP_NAME,
    signalReplicas: () => bus.signal('status', ''),
    onUpdate: (notice) => subscriptions.notifySubscribers(notice),
  });
  bus.onSignal('status', () => void status.refresh());
  return {
    status,
    subscriptions,
    subscribers: createSubscriberAdmin({ db, audit }),
    deliveryChecks: deliveryChecks(config, deliveries),
  };
}

/** The services of the status page: what its operations run with. */
export type StatusContext = ReturnType<typeof composeStatus>;
