import { UpdateQrCodeBody } from '../../../../areas/qr/schemas.ts';
import { type FormValues, instantOf, textOf } from '../../forms.ts';
import { texts } from '../texts/en.ts';
import { targetOf } from './content-form.ts';

const campaignNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

interface Given {
  changes: UpdateQrCodeBody;
  /** What is wrong, by the names of the fields. */
  problems: Map<string, string>;
}

const messages: Readonly<Partial<Record<string, string>>> = texts.problems.conditions;

/** Checks members by the schema of the API's call; problems get our words. */
function checked(body: object, problems: Map<string, string>): Given {
  const { success, data, error } = UpdateQrCodeBody.safeParse(body);
  if (success) return { changes: data, problems };
  for (const {
    path: [member],
  } of error.issues) {
    const name = String(member);
    problems.set(name, messages[name] ?? texts.problems.other);
  }
  return { changes: {}, problems };
}

/** When a code works and how often, from its form. Empty fields are null. */
export function scheduleIn(values: FormValues, ownOrigin: string): Given {
  const problems = new Map<string, string>();
  const [starts, expires] = [instantOf(values, 'starts_at'), instantOf(values, 'expires_at')];
  if (starts !== undefined && expires !== undefined && starts >= expires)
    problems.set('expires_at', texts.problems.endsBeforeStart);
  const after = textOf(values, 'expired_url');
  const target = after === undefined ? undefined : targetOf(after, ownOrigin);
  if (target !== undefined && 'problem' in target) problems.set('expired_url', target.problem);
  const limit = textOf(values, 'scan_limit');
  return checked(
    {
      starts_at: starts ?? null,
      expires_at: expires ?? null,
      expired_url: target !== undefined && 'url' in target ? target.url : null,
      scan_limit: limit === undefined ? null : Number(limit),
    },
    problems,
  );
}

/** The campaign of a code, from its form. Empty fields are null. */
export function campaignIn(values: FormValues): Given {
  const campaign = Object.fromEntries(
    campaignNames.map((name) => [name, textOf(values, name) ?? null]),
  );
  const site = textOf(values, 'site_id');
  const forward = textOf(values, 'forward_query') === 'true';
  return checked(
    { ...campaign, ...(site === undefined ? {} : { site_id: site }), forward_query: forward },
    new Map(),
  );
}

/** The password of a code, from its form: a new one, none, or the present one. */
export function passwordIn(values: FormValues): Given {
  // Spaces around a password belong to it.
  const given = typeof values.password === 'string' ? values.password : '';
  if (given !== '') return checked({ password: given }, new Map());
  const isRemoved = textOf(values, 'no_password') === 'true';
  return { changes: isRemoved ? { password: null } : {}, problems: new Map() };
}
