import type { QrCodeView, TargetRule } from '../../../../areas/qr/schemas.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Facts } from '../../../../platform/ui/components/table.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { oneRuleFields, ruleName } from '../contents/rule-fields.tsx';
import { codePath, rulePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { codeFormPage } from './code-forms.tsx';

const words = texts.targets;

/** The rules that a form was made from: someone else may have changed one of them since. */
export const rulesKey = (rules: QrCodeView['rules']): string => sha256Hex(JSON.stringify(rules));

/** The rules in the order in which they are tried, and who is left. */
const aboutRules = ({ rules, url }: QrCodeView): Html => (
  <>
    <h2 class="form-about-heading" safe>
      {words.tried}
    </h2>
    <Facts
      facts={[
        ...rules.map((rule, at) => ({
          name: words.numbered({ number: at + 1, rule: ruleName(rule) }),
          value: escapeHtml(readableUrl(rule.url)),
        })),
        {
          name: rules.length === 0 ? words.all : words.others,
          value: escapeHtml(readableUrl(url ?? '')),
        },
      ]}
    />
    <p class="hint" safe>
      {words.triedHint}
    </p>
  </>
);

const ruleForm = (action: string, label: string, code: QrCodeView, rule?: TargetRule): Html => (
  <ConsoleForm
    action={action}
    values={rule === undefined ? {} : { was: rulesKey(code.rules) }}
    submit={{ label }}
    cancel={codePath(code.id, 'targets')}
  >
    {oneRuleFields(rule)}
  </ConsoleForm>
);

/** The form for another rule, which applies after those that are there. */
export const newRulePage = (code: QrCodeView): ConsolePage =>
  codeFormPage(
    code,
    words.addRule,
    ruleForm(rulePath(code.id), words.addRule, code),
    aboutRules(code),
  );

/** The form that changes a rule. */
export const changeRulePage = (code: QrCodeView, at: number, rule: TargetRule): ConsolePage =>
  codeFormPage(
    code,
    words.changeRule,
    ruleForm(rulePath(code.id, at), words.saveRule, code, rule),
    aboutRules(code),
  );
