import { isMirrorChip } from '../../../areas/nfc/chips.ts';
import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { readableUrl } from '../../../lib/net/readable-url.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { Copy, Menu } from '../../../platform/ui/components/overlay.tsx';
import { Switch } from '../../../platform/ui/components/switch.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { ConsoleForm, WordForm } from '../components/console-form.tsx';
import { formPage } from '../components/form-page.tsx';
import { DrawerItem } from '../components/drawer-link.tsx';
import { MenuLink } from '../components/menu-link.tsx';
import { doneNotice, UndoButton } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { deleteTagPath, type TagTab, tagPath, tagsPath, tagTabs, writePath } from './nfc-paths.ts';
import { aboutTag, kindOf, opensTarget, tagFace } from './tag-words.tsx';
import { texts } from './texts/en.ts';

const words = texts.detail;

export interface TagFrame {
  tag: NfcTagView;
  tab: TagTab;
  /** Open alarms of the tag. */
  alarms: number;
  done: string | undefined;
  /** Replaces the notice of `done`. */
  notice?: Html | undefined;
  children: Content;
}

/** Turns a tag off or on; both can be undone, so that nothing is asked. */
const stateSwitch = ({ id, active }: NfcTagView): Html => (
  <form method="post" action={`${tagPath(id)}/state`} data-send>
    <input type="hidden" name="active" value={active ? 'false' : 'true'} />
    <Switch
      name={words.switch}
      label={active ? texts.states.active : texts.states.paused}
      isOn={active}
    />
  </form>
);

/** Undoes the last change of the state. */
const undo = (tag: NfcTagView, done: string | undefined): Html | undefined =>
  done === 'paused' || done === 'resumed' ? (
    <UndoButton action={`${tagPath(tag.id)}/state`} values={{ active: String(!tag.active) }} />
  ) : undefined;

/** The target, edited where it stands. */
const targetForm = ({ id, target }: NfcTagView): Html => (
  <ConsoleForm
    action={`${tagPath(id)}/target`}
    isInline
    submit={{ label: words.saveTarget, kind: 'secondary' }}
    attributes={{ class: 'form form-inline target-form' }}
  >
    <Field
      id="target"
      label={words.target}
      value={target === null ? undefined : readableUrl(target)}
      maxLength={2048}
      isRequired
      attributes={{ inputmode: 'url', spellcheck: 'false' }}
    />
  </ConsoleForm>
);

/** What is done rarely with a tag. */
const rareActions = (tag: NfcTagView): Html => (
  <Menu
    id="tag-menu"
    label={words.more}
    isIconOnly
    items={[
      <MenuLink href={tagPath(tag.id, 'settings')} icon="edit" label={words.edit} />,
      <DrawerItem
        href={deleteTagPath(tag.id)}
        icon="trash"
        label={texts.settings.delete}
        isApart
      />,
    ]}
  />
);

/** What the tag is, where it leads, and whether it works. */
const head = (tag: NfcTagView): Html => (
  <section class="tile code-head tag-head" aria-label={words.head}>
    {tagFace(tag)}
    <div class="code-facts">
      <p class="tag-kind" safe>
        {kindOf(tag)}
      </p>
      {isMirrorChip(tag.chip) && <Copy text={tag.url} label={words.link} />}
      {opensTarget(tag) && targetForm(tag)}
      <p class="hint">
        {escapeHtml(words.taps({ count: tag.taps }))}
        {tag.last_tapped_at !== null && (
          <>
            {' · '}
            {escapeHtml(words.lastTap)} <Time at={tag.last_tapped_at} />
          </>
        )}
      </p>
    </div>
    {stateSwitch(tag)}
  </section>
);

/** The page of a tag: its name, state and target, and one of its parts. */
export function tagPage({ tag, tab, alarms, done, notice, children }: TagFrame): ConsolePage {
  const { tabs } = words;
  return {
    section: 'nfc',
    title: tag.name,
    breadcrumbs: [{ href: tagsPath, text: texts.title }],
    notice: notice ?? doneNotice(texts.notices, done, { undo: undo(tag, done) }),
    actions: (
      <>
        {rareActions(tag)}
        <Button label={texts.write.action} href={writePath(tag.id)} kind="primary" icon="edit" />
      </>
    ),
    body: (
      <>
        {head(tag)}
        <Tabs
          label={tabs.label}
          links={tagTabs.map((each) => ({
            href: tagPath(tag.id, each),
            text: tabs[each],
            isCurrent: each === tab,
            count: each === 'alarms' ? alarms : undefined,
          }))}
        />
        {children}
      </>
    ),
  };
}

/** Deletes a tag after a word was typed. */
export const deleteTagPage = (tag: NfcTagView): ConsolePage => {
  const { id, name } = tag;
  return formPage({
    section: 'nfc',
    title: texts.settings.delete,
    breadcrumbs: [
      { href: tagsPath, text: texts.title },
      { href: tagPath(id), text: name },
    ],
    about: aboutTag(tag),
    children: (
      <WordForm
        id="confirm-delete"
        action={deleteTagPath(id)}
        word={texts.settings.word}
        points={texts.settings.deletePoints}
        warning={texts.settings.deleteWarning}
        submit={texts.settings.delete}
        cancel={tagPath(id)}
      />
    ),
  });
};
