import type { QrCodeView, TargetRule } from '../../../../areas/qr/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { oneRuleFields } from '../contents/rule-fields.tsx';
import { codePath, rulePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { codeFormPage } from './code-forms.tsx';

const words = texts.targets;

/** Which rule a form is about: its place may have changed since. */
export const ruleKey = ({ device, country, language, url }: TargetRule): string =>
  [device, country, language, url].join(' ');

const ruleForm = (action: string, label: string, code: QrCodeView, rule?: TargetRule): Html => (
  <ConsoleForm
    action={action}
    values={rule === undefined ? {} : { was: ruleKey(rule) }}
    submit={{ label }}
    cancel={codePath(code.id, 'targets')}
  >
    {oneRuleFields(rule)}
  </ConsoleForm>
);

/** The form for another rule, which applies after those that are there. */
export const newRulePage = (code: QrCodeView): ConsolePage =>
  codeFormPage(code, words.addRule, ruleForm(rulePath(code.id), words.addRule, code));

/** The form that changes a rule. */
export const changeRulePage = (code: QrCodeView, at: number, rule: TargetRule): ConsolePage =>
  codeFormPage(code, words.changeRule, ruleForm(rulePath(code.id, at), words.saveRule, code, rule));
