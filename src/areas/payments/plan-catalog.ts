import { readFile } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { isSystemError } from '../../lib/system-errors.ts';
import { defaultPlans } from './default-plans.ts';
import { PlanList, type PricingView } from './schemas.plans.ts';

const maxIssues = 5;

function parsePlans(text: string): PlanList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('PLANS: is not valid JSON.');
  }
  const { data, error } = PlanList.safeParse(value);
  if (error === undefined) return data;
  const issues = error.issues
    .slice(0, maxIssues)
    .map(({ path, message }) => `${path.join('.')} ${message}`.trim());
  throw new Error(`PLANS: ${issues.join('; ')}.`);
}

async function readPlans(setting: string): Promise<PlanList> {
  if (setting.startsWith('{')) return parsePlans(setting);
  const text = await readFile(setting, 'utf8').catch((error: unknown) => {
    const reason = isSystemError(error) ? error.code : 'unknown reason';
    throw new Error(`PLANS: the file ${setting} cannot be read (${reason}).`);
  });
  return parsePlans(text);
}

/** The plans, which pricing, sign-up and payments share. */
function createPlanCatalog({ currency, plans }: PlanList, isConfigured: boolean) {
  const offered = plans.filter(({ retired }) => !retired);
  const byId = new Map(offered.map((plan) => [plan.id, plan]));
  const byPrice = new Map(
    plans.flatMap(({ id, provider_prices: prices }) =>
      [id, ...prices].map((price) => [price, id] as const),
    ),
  );
  const pricing: PricingView = {
    currency,
    plans: offered.map(({ id, name, price, interval, features, limits }) => ({
      id,
      name,
      price,
      interval,
      features,
      limits,
    })),
  };

  return {
    /** The plans that are offered, as `/pricing` shows them. */
    pricing,
    /** Ids of the plans that are offered, in the order of `PLANS`. */
    ids: offered.map(({ id }) => id),
    /** Returns the name of a plan that is offered; undefined for other ids. */
    nameOf: (id: string): string | undefined => byId.get(id)?.name,

    /**
     * Returns the plan of a price by its names at the payment provider, the most specific first.
     * Without `PLANS`, that is the first name, since nothing says what the prices mean. Undefined
     * if no plan has the price.
     */
    planOfPrice(names: readonly string[]): string | undefined {
      if (!isConfigured) return names[0];
      return names.map((name) => byPrice.get(name)).find((id) => id !== undefined);
    },
  };
}

/** Reads the plans. Throws an error that names the setting and the mistake. */
export async function composePlans(config: Config): Promise<{ plans: PlanCatalog }> {
  const { PLANS: setting } = config;
  const list = setting === undefined ? defaultPlans(config) : await readPlans(setting);
  return { plans: createPlanCatalog(list, setting !== undefined) };
}

export type PlanCatalog = ReturnType<typeof createPlanCatalog>;
