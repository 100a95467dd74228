import { createContactStore } from '../../../areas/contact/store.ts';
import { hourMs, minuteMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { adminOf, type World } from '../world.ts';
import { correspondence, type Letter, savedTexts } from './correspondence.ts';
import type { Act } from './timeline.ts';

/**
 * Messages from the contact form, with replies and notes. They go through the store, because the
 * service would send the replies.
 */
function letterActs(world: World, letter: Letter, index: number): Act[] {
  const store = createContactStore(world.app.stores.db);
  const { hours, name, email, subject, message, topic, status, spamReason = null } = letter;
  const at = Math.round(world.story.until - hours * hourMs);
  const later = (minutes: number) => new Date(at + minutes * minuteMs);
  const id = uuidv7(at);
  const entry = (minutes: number) => ({
    id: uuidv7(later(minutes).getTime()),
    message_id: id,
    author_kind: 'user' as const,
    author_id: adminOf(world).actor.id,
    created_at: later(minutes),
  });

  const receive: Act = {
    at,
    play: () =>
      store.add({
        ...{ id, name, email, subject, message, topic, status, spam_reason: spamReason },
        status_at: later(0),
        assignee_id: letter.isAssigned === true ? adminOf(world).actor.id : null,
        proof: spamReason === null ? 'solved' : 'none',
        network: '198.51.100.0/24',
        created_at: later(0),
        updated_at: later(0),
        noticed_at: later(1),
      }),
  };
  const { db } = world.app.stores;
  const { note, reply } = letter;
  const write: Act = {
    at: at + 40 * minuteMs,
    async play() {
      if (note !== undefined) await store.addNote(db, { ...entry(25), text: note });
      if (reply !== undefined)
        await store.addReply(db, { ...entry(35 + index), text: reply, delivery_id: null });
    },
  };
  return note === undefined && reply === undefined ? [receive] : [receive, write];
}

/** The inbox of the contact form, and texts for replies. */
export const contactActs = (world: World): Act[] => [
  ...savedTexts.map((saved, index): Act => ({
    at: Math.round(world.story.until - (2000 - index) * hourMs),
    play: () => world.app.services.savedReplyList.create({ ...saved }, adminOf(world)),
  })),
  ...correspondence.flatMap((letter, index) => letterActs(world, letter, index)),
];
