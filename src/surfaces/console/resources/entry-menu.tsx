import type { Html } from '../../../lib/text/html.ts';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { DrawerItem } from '../components/drawer-link.tsx';
import { deletePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

const words = texts.entry;

/** What can be done with an entry and not be undone. Undefined where nothing can. */
export const entryMenu = (resource: Resource, { id }: Pick<Entry, 'id'>): Html | undefined =>
  resource.canDelete === false ? undefined : (
    <Menu
      id="entry-menu"
      label={texts.list.more}
      isIconOnly
      items={[
        <DrawerItem
          label={words.delete({ one: resource.texts.one })}
          icon="trash"
          href={deletePath(resource, id)}
        />,
      ]}
    />
  );
