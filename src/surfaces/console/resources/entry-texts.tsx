import type { Html } from '../../../lib/text/html.ts';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { DrawerLink } from '../components/drawer-link.tsx';
import { cellHtml, columnsOf } from './entry-values.tsx';
import { deletePath, editPath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

const entryButtons = (resource: Resource, { id }: Entry): Html => (
  <div class="btn-row">
    <DrawerLink
      label={texts.entry.edit}
      href={editPath(resource, id)}
      size="small"
      about={`name-${id}`}
    />
    <DrawerLink
      label={texts.entry.deleteShort}
      href={deletePath(resource, id)}
      kind="ghost"
      size="small"
      about={`name-${id}`}
    />
  </div>
);

/** Entries that are texts: the name, which opens the form that changes it, and all of the text. */
export function entryTexts(resource: Resource, entries: readonly Entry[]): Html {
  const [first = 'id', text = 'id'] = columnsOf(resource);
  return (
    <ul class="entry-texts">
      {entries.map((entry) => (
        <li id={entry.id}>
          <div>
            <h3 id={`name-${entry.id}`}>
              <a href={editPath(resource, entry.id)} data-drawer>
                {cellHtml(resource, entry, first)}
              </a>
            </h3>
            {entryButtons(resource, entry)}
          </div>
          <p class="message-text" dir="auto" safe>
            {String(entry[text])}
          </p>
        </li>
      ))}
    </ul>
  );
}
