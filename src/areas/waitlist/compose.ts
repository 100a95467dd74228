import { bindResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import { createWaitlistAccess } from './access.ts';
import { type CreditStore, createCreditStore } from './credit-store.ts';
import { createDisposableCheck } from './disposable.ts';
import { createApprovals } from './entries/approvals.ts';
import { waitlistEntries } from './entries/resource.ts';
import { createEntries } from './entries/service.ts';
import { defineJoinJob } from './jobs.ts';
import { createWaitlistEmails, type WaitlistEmails } from './emails.ts';
import { createRankingStore, type RankingStore } from './ranking-store.ts';
import { createWaitlist } from './service.ts';
import { createJoinStore, type JoinStore } from './store.ts';
import { createWaitlistTokens, type WaitlistTokens } from './tokens.ts';

interface WaitlistNeeds extends Pick<Comms, 'messages' | 'channels'> {
  audit: Audit;
}

/** What the services of the waitlist are made from. */
export interface WaitlistParts extends Resources, WaitlistNeeds {
  store: JoinStore;
  creditStore: CreditStore;
  ranking: RankingStore;
  tokens: WaitlistTokens;
  emails: WaitlistEmails;
  isDisposable: (email: string) => Promise<boolean>;
}

/** The waitlist, its administration, and the access that approval gives. */
export function composeWaitlist(resources: Resources, needs: WaitlistNeeds) {
  const { db, keys } = resources;
  const tokens = createWaitlistTokens(keys);
  const parts: WaitlistParts = {
    ...resources,
    ...needs,
    store: createJoinStore(db),
    creditStore: createCreditStore(db),
    ranking: createRankingStore(db),
    tokens,
    emails: createWaitlistEmails(resources, needs.messages, tokens),
    isDisposable: createDisposableCheck(),
  };
  const joinJob = defineJoinJob(parts);
  const approvals = createApprovals(parts);
  return {
    waitlist: createWaitlist(parts, joinJob),
    waitlistEntries: bindResource(waitlistEntries, createEntries(parts, { joinJob, approvals })),
    waitlistApprovals: approvals,
    waitlistAccess: createWaitlistAccess(parts),
    /** Puts a person on the list, in a job that has answered them already. */
    joinWaitlist: joinJob.join,
  };
}

export type WaitlistContext = ReturnType<typeof composeWaitlist>;
