import { asAdmin } from '../../support/app.ts';
import { needsBoth, needsPostgres, neither, row, type Row } from './rows.ts';
import { newEmail, newName, type World } from './world.ts';

const headers = asAdmin;
const letter = () => ({ name: 'Ada', email: newEmail(), message: 'Hello' });
const toMessage = async (world: World) => ({ headers, params: { id: await world.message() } });
const toSavedReply = async (world: World) => ({
  headers,
  params: { id: await world.savedReply() },
});

/** Contact: no message is accepted without Redis, because its limits can't be checked. */
export const contactRows: readonly Row[] = [
  row('contact.page', neither, () => ({})),
  row('contact.challenge', neither, () => ({})),
  row('contact.send', needsBoth, () => ({ body: letter() })),
  row('contact.send', needsBoth, () => ({ headers, body: letter() }), { about: 'with an API key' }),
  row(
    'contact.send',
    needsBoth,
    async (world) => ({ body: { ...letter(), altcha: await world.solution() } }),
    { about: 'with a solved challenge' },
  ),
  row('contact.send_form', needsBoth, async (world) => ({
    form: { ...letter(), form: await world.formTime() },
  })),
  row('contact.thread', needsPostgres, toMessage),
  row('contact.reply', needsBoth, async (world) => ({
    ...(await toMessage(world)),
    body: { text: 'Hello Ada' },
  })),
  row('contact.add_note', needsBoth, async (world) => ({
    ...(await toMessage(world)),
    body: { text: 'A customer' },
  })),
  row('contactMessages.list', needsPostgres, () => ({ headers })),
  row('contactMessages.get', needsPostgres, toMessage),
  row('contactMessages.update', needsPostgres, async (world) => ({
    ...(await toMessage(world)),
    body: { status: 'open' },
  })),
  row('contactMessages.delete', needsPostgres, toMessage),
  row('contactMessages.bulk', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.message()], delete: true },
  })),
  row('contactMessages.export', needsPostgres, () => ({ headers })),
  row('savedReplies.list', needsPostgres, () => ({ headers })),
  row('savedReplies.get', needsPostgres, toSavedReply),
  row('savedReplies.create', needsPostgres, () => ({
    headers,
    body: { name: newName(), text: 'Hello' },
  })),
  row('savedReplies.update', needsPostgres, async (world) => ({
    ...(await toSavedReply(world)),
    body: { text: 'Good day' },
  })),
  row('savedReplies.delete', needsPostgres, toSavedReply),
  row('savedReplies.bulk', needsPostgres, async (world) => ({
    headers,
    body: { ids: [await world.savedReply()], delete: true },
  })),
  row('savedReplies.export', needsPostgres, () => ({ headers })),
  row('savedReplies.import', needsPostgres, () => ({
    headers: { ...headers, 'content-type': 'text/csv' },
    body: `name,text\n${newName()},Hello\n`,
  })),
];
