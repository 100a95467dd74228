import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { capitalized } from '../../lib/text/case.ts';
import type { PricingView } from '../../areas/payments/schemas.plans.ts';
import { formatMoney, formatNumber } from '../../platform/i18n/numbers.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import { headed, type PublicPage } from './page-parts.tsx';
import { texts } from './texts/en/pricing.ts';

type Plan = PricingView['plans'][number];

const priceOf = ({ price, interval }: Plan, currency: string): Html =>
  price === 0 ? (
    <p class="price" safe>
      {texts.free}
    </p>
  ) : (
    <p class="price">
      {escapeHtml(formatMoney(price, currency))} <span safe>{texts.per[interval]}</span>
    </p>
  );

/** A limit as a sentence, or by its name when it is one of the operator's own. */
function limitText(limit: string, value: number): string {
  const count = formatNumber(value);
  const sentence = texts.limitSentences[limit];
  return sentence?.({ count }) ?? `${capitalized(limit.replaceAll('_', ' '))}: ${count}`;
}

function planCard(plan: Plan, currency: string, isSignupOpen: boolean): Html {
  const { id, name, features, limits } = plan;
  const counted = Object.entries(limits);
  return (
    <li class="plan">
      <h2 safe>{name}</h2>
      {priceOf(plan, currency)}
      {isSignupOpen && (
        <Button
          label={plan.price === 0 ? texts.getStarted : texts.choose({ plan: name })}
          href={plan.price === 0 ? '/signup' : `/signup?plan=${encodeURIComponent(id)}`}
          kind="primary"
          size="large"
        />
      )}
      <ul class="checks">
        {features.map((feature) => (
          <li>
            <Icon name="check" />
            {escapeHtml(feature)}
          </li>
        ))}
      </ul>
      {counted.length > 0 && (
        <>
          <h3 safe>{texts.limits}</h3>
          <ul class="plan-limits">
            {counted.map(([limit, value]) => (
              <li safe>{limitText(limit, value)}</li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}

/** The plans, for people. Programs get them as JSON. */
export function pricingPage({ currency, plans }: PricingView, isSignupOpen: boolean): PublicPage {
  return {
    path: '/pricing',
    title: texts.title,
    description: texts.description,
    isWide: true,
    styles: ['home.css'],
    heading: headed(texts.title, escapeHtml(texts.lead({ plans: plans.length }))),
    body: <ul class="plans">{plans.map((plan) => planCard(plan, currency, isSignupOpen))}</ul>,
  };
}
