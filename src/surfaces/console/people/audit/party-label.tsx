import { isUuid } from '../../../../lib/ids.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { readable, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import type { UserNames } from '../user-names.ts';

const words = texts.audit;

/** The first part of an id, with the whole id in its title. */
const shortId = (id: string): Html =>
  isUuid(id) ? <code title={id}>{escapeHtml(id.slice(0, 8))}…</code> : <code safe>{id}</code>;

interface Party {
  kind: string;
  id: string | null;
}

/** An actor or a target, with a link if it has a page. */
export function partyLabel({ kind, id }: Party, names: UserNames): Html {
  if (id === null) return escapeHtml(readable(kind));
  if (kind === 'user') return userLink(id, names.get(id) ?? words.user({ id: id.slice(0, 8) }));
  return id === 'env' ? (
    escapeHtml(words.adminKey)
  ) : (
    <>
      {escapeHtml(readable(kind))} {shortId(id)}
    </>
  );
}
