import type { Resources } from '../../platform/resources.ts';
import { bindResource } from '../../platform/resource/resource.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import { createAdmission } from './admission.ts';
import { createApprovals } from './approvals.ts';
import { createCreditStore } from './credit-store.ts';
import { createEntries } from './entries.ts';
import { createBatchStore } from './entry-store.ts';
import { defineJoinJob } from './jobs.ts';
import { createDisposableCheck } from './disposable.ts';
import { createWaitlistMails } from './mails.ts';
import { createRankingStore } from './ranking-store.ts';
import { waitlistEntries } from './resource.ts';
import { createWaitlist } from './service.ts';
import { createJoinStore } from './store.ts';
import { createWaitlistTokens } from './tokens.ts';
import { createOwnView } from './views.ts';

/** The waitlist, its administration, and the permission to enter that approval gives. */
export function composeWaitlist(
  { config, clock, db, queues, keys, baseUrl, baseOrigin }: Resources,
  { audit, messages, channels }: { audit: Audit } & Pick<Comms, 'messages' | 'channels'>,
) {
  const store = createJoinStore(db);
  const creditStore = createCreditStore(db);
  const ranking = createRankingStore(db);
  const tokens = createWaitlistTokens(keys);
  const isDisposable = createDisposableCheck();
  const sender = [config.LEGAL_NAME ?? config.APP_NAME, config.LEGAL_ADDRESS, config.CONTACT_EMAIL];
  const mails = createWaitlistMails({
    messages,
    tokens,
    clock,
    baseOrigin,
    sender: sender.filter((part) => part !== undefined).join(', '),
    signUpUrl: new URL('/signup', baseOrigin).href,
  });
  const shared = { store, creditStore, ranking, tokens, audit, clock, isOpen: channels.email };
  const job = defineJoinJob({ ...shared, mails, isDisposable, queues, keys });
  const approvals = createApprovals({ ...shared, batches: createBatchStore(db), mails, queues });
  return {
    waitlist: createWaitlist({
      ...shared,
      job,
      toOwnView: createOwnView({ ranking, baseUrl }),
      showsTotal: config.WAITLIST_TOTAL,
      showsLeaders: config.WAITLIST_LEADERBOARD,
    }),
    waitlistEntries: bindResource(
      waitlistEntries,
      createEntries({ ...shared, db, keys, job, approvals, isDisposable }),
    ),
    waitlistApprovals: approvals,
    admission: createAdmission({ store, clock }),
    /** Puts a person on the list, in a job that has answered them already. */
    askToJoin: job.ask,
  };
}
