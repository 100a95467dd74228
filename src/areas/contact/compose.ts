import { bindResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import type { People } from '../identity/users/compose.ts';
import { createFormTimes } from './form-times.ts';
import { defineCleanup, defineNotices, defineUnsentReplies } from './jobs.ts';
import { createContactLimits } from './limits.ts';
import { createMessageService, createSavedReplyService } from './messages.ts';
import { createNotices } from './notices.ts';
import { createProofs } from './proofs.ts';
import { createReplies } from './replies.ts';
import { contactMessageResource, savedReplyResource } from './resource.ts';
import { createContact } from './service.ts';
import { createContactStore } from './store.ts';
import { createThreads } from './threads.ts';

type Needs = { audit: Audit } & Pick<Comms, 'messages' | 'channels'> &
  Pick<People, 'users' | 'findUser'>;

/** `Name <address>` or only an address. */
const addressIn = (mailFrom: string | undefined): string | undefined =>
  mailFrom === undefined ? undefined : (/<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom);

/** The contact form and its inbox. */
export function composeContact(resources: Resources, needs: Needs) {
  const { config, clock, db, redis, keys, queues, bus, logger, baseUrl, baseOrigin } = resources;
  const { audit, messages, channels, users, findUser } = needs;
  const store = createContactStore(db);
  const notices = createNotices({
    store,
    messages,
    users,
    contactEmail: config.CONTACT_EMAIL,
    hasEmail: channels.email,
    baseUrl,
    clock,
    logger,
  });
  const requestNotice = defineNotices({ queues, store, notices, redis });
  defineCleanup({ queues, store, clock });

  // The message is stored: a notice that fails now is sent by the job that runs every minute.
  const onReceived = (id: string): void => {
    const published = bus.publish('contact', { type: 'contact.received', data: { id } });
    void Promise.allSettled([published, requestNotice()]).then((results) => {
      for (const result of results)
        if (result.status === 'rejected')
          logger.warn({ err: result.reason }, 'a new contact message could not be announced');
    });
  };
  const limits = createContactLimits(redis, keys);
  const replies = createReplies({
    db,
    store,
    messages,
    audit,
    clock,
    baseOrigin,
    replyTo: config.CONTACT_EMAIL ?? addressIn(config.MAIL_FROM),
    appName: config.APP_NAME,
  });
  defineUnsentReplies(queues, replies);
  const admin = { db, clock, keys, audit };
  const inbox = createMessageService({ ...admin, findUser });
  const savedReplyList = createSavedReplyService(admin);
  return {
    contact: createContact({
      store,
      proofs: createProofs({ keys, clock }),
      formTimes: createFormTimes(keys, clock),
      limits,
      clock,
      onReceived,
    }),
    inbox,
    savedReplyList,
    contactMessages: bindResource(contactMessageResource, inbox),
    savedReplies: bindResource(savedReplyResource, savedReplyList),
    contactReplies: replies,
    contactThreads: createThreads({ db, store, messages, audit, clock, replies, limits }),
  };
}

export type ContactServices = ReturnType<typeof composeContact>;
