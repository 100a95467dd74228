import { bindResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import type { People } from '../identity/users/compose.ts';
import { defineCleanup, defineNotices, defineUnsentReplies } from './jobs.ts';
import { type ContactLimits, createContactLimits } from './limits.ts';
import { createReplies } from './replies.ts';
import {
  contactMessageResource,
  createInbox,
  createSavedReplies,
  savedReplyResource,
} from './resource.ts';
import { createContact } from './service.ts';
import { type ContactStore, createContactStore } from './store.ts';
import { createThreads } from './threads.ts';

interface ContactNeeds
  extends Pick<Comms, 'messages' | 'channels'>, Pick<People, 'users' | 'findUser'> {
  audit: Audit;
}

/** What the services of the contact form are made from. */
export interface ContactParts extends Resources, ContactNeeds {
  store: ContactStore;
  limits: ContactLimits;
}

/** The contact form and its inbox. */
export function composeContact(resources: Resources, needs: ContactNeeds) {
  const { db, redis, keys } = resources;
  const parts: ContactParts = {
    ...resources,
    ...needs,
    store: createContactStore(db),
    limits: createContactLimits(redis, keys),
  };
  const requestNotice = defineNotices(parts);
  defineCleanup(parts);
  const replies = createReplies(parts);
  defineUnsentReplies(parts, replies);
  const inbox = createInbox(parts);
  const savedReplyList = createSavedReplies(parts);
  return {
    contact: createContact(parts, requestNotice),
    inbox,
    savedReplyList,
    contactMessages: bindResource(contactMessageResource, inbox),
    savedReplies: bindResource(savedReplyResource, savedReplyList),
    contactReplies: replies,
    contactThreads: createThreads(parts, replies),
  };
}

export type ContactContext = ReturnType<typeof composeContact>;
