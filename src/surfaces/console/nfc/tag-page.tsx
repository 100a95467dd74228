import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import type { Content, Html } from '../../../lib/text/html.ts';
import { readableUrl } from '../../../lib/net/readable-url.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { ActionButton, ConsoleForm } from '../components/console-form.tsx';
import { doneNotice, UndoButton } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { type TagTab, tagPath, tagsPath, tagTabs, writePath } from './nfc-paths.ts';
import { kindOf, opensTarget, stateBadge } from './tag-words.tsx';
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
const stateForm = ({ id, active }: NfcTagView, label: string): Html => (
  <ActionButton
    action={`${tagPath(id)}/state`}
    label={label}
    size="medium"
    values={{ active: String(!active) }}
  />
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
    attributes={{ class: 'form form-inline tag-target' }}
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

/** The page of a tag: its name, state and target, and one of its parts. */
export function tagPage({ tag, tab, alarms, done, notice, children }: TagFrame): ConsolePage {
  const { state, tabs } = words;
  return {
    section: 'nfc',
    title: tag.name,
    breadcrumbs: [{ href: tagsPath, text: texts.title }],
    state: stateBadge(tag),
    notice: notice ?? doneNotice(texts.notices, done, { undo: undo(tag, done) }),
    actions: (
      <>
        {stateForm(tag, tag.active ? state.pause : state.resume)}
        <Button label={texts.write.action} href={writePath(tag.id)} kind="primary" icon="edit" />
      </>
    ),
    body: (
      <>
        <p class="lead tag-kind" safe>
          {kindOf(tag)}
        </p>
        {opensTarget(tag) && targetForm(tag)}
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
