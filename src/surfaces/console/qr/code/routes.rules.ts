import { z } from 'zod';
import { qrErrors } from '../../../../areas/qr/errors.ts';
import type { QrCodeView, TargetRule } from '../../../../areas/qr/schemas.ts';
import { FormError, FormValues, invalidForm, textOf } from '../../forms.ts';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { rulesIn } from '../contents/rule-fields.tsx';
import { findCode } from '../find-code.ts';
import { codePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { changeRulePage, newRulePage, rulesKey } from './rule-forms.tsx';

const words = texts.targets;
const CodeParams = z.object({ id: z.uuid().toLowerCase() });
const RuleParams = CodeParams.extend({ at: z.coerce.number().int().min(0).max(99) });
const errors = ['qr.not_found'];
const filled = {
  body: z.object({ values: FormValues }),
  read: (values: FormValues) => ({ values }),
};
const toTargets = ({ id }: { id: string }): string => codePath(id, 'targets');

/** The rule of a form. Throws `console.form_invalid` with what is wrong, by field. */
function ruleIn(values: FormValues, { baseOrigin }: ConsoleRoutesOptions): TargetRule {
  const { rules, problems } = rulesIn(values, baseOrigin);
  const [rule] = rules;
  if (problems.size === 0 && rule !== undefined) return rule;
  if (problems.size === 0) problems.set('rules.0.device', texts.rules.noCondition);
  throw new FormError(texts.problems.lead, problems);
}

interface RuleForm {
  id: string;
  at: number;
  values: FormValues;
}

/** The rules of a code, if they are still those that the form was made from. */
async function rulesOf(
  context: ConsoleRoutesOptions,
  { id, at, values }: RuleForm,
): Promise<QrCodeView['rules']> {
  const { rules } = await findCode(context, id);
  if (rules[at] === undefined || rulesKey(rules) !== textOf(values, 'was'))
    throw invalidForm(words.rulesChanged);
  return rules;
}

const rulePages = [
  page({
    id: 'console.new_qr_rule',
    path: '/api/svc/console/qr/:id/rules/new',
    summary: 'Console: form for a rule of a QR code',
    params: CodeParams,
    errors,
    show: async (context, { id }) => newRulePage(await findCode(context, id)),
  }),
  page({
    id: 'console.edit_qr_rule',
    path: '/api/svc/console/qr/:id/rules/:at',
    summary: 'Console: form that changes a rule of a QR code',
    params: RuleParams,
    errors,
    async show(context, { id, at }) {
      const code = await findCode(context, id);
      const rule = code.rules[at];
      if (rule === undefined) throw qrErrors.target_not_found();
      return changeRulePage(code, at, rule);
    },
  }),
];

/** Who is led elsewhere by a code: one rule at a time. */
export const ruleRoutes = [
  ...rulePages,
  form({
    id: 'console.add_qr_rule',
    path: '/api/svc/console/qr/:id/rules',
    summary: 'Form: add a rule to a QR code',
    params: CodeParams,
    ...filled,
    async run(context, { id, values }, { by }) {
      const rule = ruleIn(values, context);
      const { rules } = await findCode(context, id);
      return context.qr.codes.update(id, { rules: [...rules, rule] }, by);
    },
    to: toTargets,
    done: 'rule_added',
  }),
  form({
    id: 'console.change_qr_rule',
    path: '/api/svc/console/qr/:id/rules/:at',
    summary: 'Form: change a rule of a QR code',
    params: RuleParams,
    ...filled,
    async run(context, input, { by }) {
      const rule = ruleIn(input.values, context);
      const rules = (await rulesOf(context, input)).with(input.at, rule);
      return context.qr.codes.update(input.id, { rules }, by);
    },
    to: toTargets,
    done: 'rule_saved',
  }),
  form({
    id: 'console.move_qr_rule',
    path: '/api/svc/console/qr/:id/rules/:at/up',
    summary: 'Form: move a rule of a QR code up',
    params: RuleParams,
    ...filled,
    async run(context, input, { by }) {
      const rules = await rulesOf(context, input);
      const [moved] = rules.slice(input.at);
      const others = rules.toSpliced(input.at, 1);
      const next =
        moved === undefined ? rules : others.toSpliced(Math.max(0, input.at - 1), 0, moved);
      return context.qr.codes.update(input.id, { rules: next }, by);
    },
    to: toTargets,
    done: 'rule_moved',
  }),
  form({
    id: 'console.delete_qr_rule',
    path: '/api/svc/console/qr/:id/rules/:at/delete',
    summary: 'Form: delete a rule of a QR code',
    params: RuleParams,
    ...filled,
    async run(context, input, { by }) {
      const rules = (await rulesOf(context, input)).toSpliced(input.at, 1);
      return context.qr.codes.update(input.id, { rules }, by);
    },
    to: toTargets,
    done: 'rule_deleted',
  }),
];
