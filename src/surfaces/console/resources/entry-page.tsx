import { z } from 'zod';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { DrawerItem, DrawerLink } from '../components/drawer-link.tsx';
import { doneNotice } from '../components/notices.tsx';
import { isNested } from '../forms/schema-fields.tsx';
import type { ConsolePage } from '../layout.tsx';
import { titleOf } from './entry-title.ts';
import { labelOf, memberHtml } from './entry-values.tsx';
import { listLink } from './form-pages.tsx';
import { deletePath, editPath, sectionOf } from './resource-paths.ts';
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

const actionsOf = (resource: Resource, { id }: Entry): Html => (
  <>
    {resource.entryLink && (
      <Button
        label={resource.entryLink.text}
        href={`${consolePath}${resource.entryLink.path}?id=${id}`}
      />
    )}
    {entryMenu(resource, { id })}
    {resource.update && <DrawerLink label={words.edit} href={editPath(resource, id)} icon="edit" />}
  </>
);

/** Ids and nested values are for programs. */
function isShown(schema: z.core.$ZodType, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !(unwrapSchema(schema) instanceof z.ZodUUID || isNested(schema));
}

function factsOf(resource: Pick<Resource, 'view' | 'texts' | 'tones'>, entry: Entry): Html {
  const shape: Readonly<Record<string, z.core.$ZodType>> = resource.view.shape;
  return (
    <Facts
      facts={Object.entries(shape).flatMap(([member, schema]) =>
        isShown(schema, entry[member])
          ? { name: labelOf(resource, member), value: memberHtml(resource, entry, member) }
          : [],
      )}
    />
  );
}

/** An entry: what it has, and forms to change and delete it. */
export const entryPage = (
  resource: Resource,
  entry: Entry,
  done: string | undefined,
): ConsolePage => ({
  section: sectionOf(resource),
  title: titleOf(resource, entry),
  breadcrumbs: [listLink(resource)],
  actions: actionsOf(resource, entry),
  notice: doneNotice(texts.notices, done),
  body: (
    <Card id="details" title={words.details}>
      {factsOf(resource, entry)}
    </Card>
  ),
});

/** What creating an entry returned, where that is shown only once. */
export const createdPage = (
  resource: Resource,
  created: z.ZodObject,
  entry: Entry,
): ConsolePage => ({
  section: sectionOf(resource),
  title: titleOf(resource, entry),
  breadcrumbs: [listLink(resource)],
  notice: <Toast text={words.shownOnce} />,
  body: (
    <Card id="details" title={words.details}>
      {factsOf({ ...resource, view: created }, entry)}
    </Card>
  ),
});
