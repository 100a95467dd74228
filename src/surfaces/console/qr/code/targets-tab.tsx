import type { FormerTargetView } from '../../../../areas/qr/codes/schemas.ts';
import type { QrCodeView, TargetRule } from '../../../../areas/qr/schemas.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { DrawerItem, DrawerLink } from '../../components/drawer-link.tsx';
import { maxRules, ruleName } from '../contents/rule-fields.tsx';
import { codePath, rulePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import type { TargetsView } from './code-view.ts';
import { rulesKey } from './rule-forms.tsx';
import { scheduleLines } from './schedule-lines.ts';

const words = texts.targets;

const actButton = (action: string, text: string, isLast = false): Html => (
  <button type="submit" formaction={action} class={isLast ? 'menu-apart' : undefined}>
    <Icon name={isLast ? 'trash' : 'arrow-up'} />
    {escapeHtml(text)}
  </button>
);

const ruleMenu = ({ id, rules }: QrCodeView, at: number, rule: TargetRule): Html => (
  <form method="post" action={`${rulePath(id, at)}/delete`} data-send>
    <input type="hidden" name="was" value={rulesKey(rules)} />
    <Menu
      id={`rule-menu-${at}`}
      label={words.ruleMenu({ rule: ruleName(rule) })}
      isIconOnly
      items={[
        <DrawerItem href={rulePath(id, at)} icon="edit" label={words.changeRule} />,
        ...(at === 0 ? [] : [actButton(`${rulePath(id, at)}/up`, words.moveUp)]),
        actButton(`${rulePath(id, at)}/delete`, words.deleteRule, true),
      ]}
    />
  </form>
);

const ruleItem = (code: QrCodeView, at: number, rule: TargetRule): Html => (
  <li>
    <span class="way-who">{escapeHtml(ruleName(rule))}</span>
    <Icon name="arrow-right" />
    <span class="way-url">{escapeHtml(readableUrl(rule.url))}</span>
    {ruleMenu(code, at, rule)}
  </li>
);

/** Who is led where: the rules in their order, and everybody else. */
const waysCard = (code: QrCodeView): Html => {
  const { id, rules, url } = code;
  return (
    <Card
      id="rules"
      title={words.ways}
      hint={rules.length > 1 ? texts.rules.order : texts.rules.hint}
      actions={
        rules.length < maxRules && (
          <DrawerLink label={words.addRule} icon="plus" size="small" href={`${rulePath(id)}/new`} />
        )
      }
    >
      <ol class="ways">
        {rules.map((rule, at) => ruleItem(code, at, rule))}
        <li>
          <span class="way-who">{escapeHtml(rules.length === 0 ? words.all : words.others)}</span>
          <Icon name="arrow-right" />
          <span class="way-url">{escapeHtml(readableUrl(url ?? ''))}</span>
        </li>
      </ol>
    </Card>
  );
};

const scheduleCard = ({ code }: TargetsView): Html => (
  <Card
    id="schedule"
    title={words.schedule}
    actions={<Button label={words.change} size="small" href={codePath(code.id, 'settings')} />}
  >
    {scheduleLines(code).map((line) => (
      <p>{escapeHtml(line)}</p>
    ))}
  </Card>
);

const formerItem = (codeId: string, target: FormerTargetView): Html => (
  <li id={`target-${target.id}`}>
    <span class="way-url">
      {escapeHtml(readableUrl(target.url))}
      {target.rules.length > 0 && (
        <span class="hint">
          {escapeHtml(words.former.rules({ rules: target.rules.map(ruleName).join('; ') }))}
        </span>
      )}
    </span>
    <span class="hint">
      {escapeHtml(words.former.until)} <Time at={target.replaced_at} />
    </span>
    <ActionButton
      action={`${codePath(codeId)}/restore`}
      label={words.former.restore}
      kind="ghost"
      icon="undo"
      about={`target-${target.id}`}
      values={{ target_id: target.id, tab: 'targets' }}
    />
  </li>
);

/** Where a code leads: rules, schedule, and the targets that it had. */
export const targetsTab = (view: TargetsView): Html => (
  <>
    {waysCard(view.code)}
    {scheduleCard(view)}
    <Card id="targets" title={words.former.title}>
      {view.former.length === 0 ? (
        <p class="hint" safe>
          {words.former.none}
        </p>
      ) : (
        <ol class="ways">{view.former.map((target) => formerItem(view.code.id, target))}</ol>
      )}
    </Card>
  </>
);
