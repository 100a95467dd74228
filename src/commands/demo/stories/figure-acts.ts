import type { Act } from './timeline.ts';
import { adminOf, type World } from '../world.ts';
import { dayMs, minuteMs } from '../../../lib/durations.ts';

const shop = 'shop.example';

const event = (value: string, name = value) => ({
  name,
  kind: 'event' as const,
  value,
  filters: [],
});
const page = (value: string, name: string) => ({ name, kind: 'page' as const, value, filters: [] });

/** What a new user would set up after a week: goals, a funnel and a share link. */
function definitionActs(world: World): Act[] {
  const { goals, funnels, shares } = world.app.services;
  const begin = world.story.from + 9 * dayMs;
  const all = [
    event('purchase', 'Bought something'),
    event('signup', 'Made an account'),
    page('/checkout', 'Came to the checkout'),
  ].map((goal) => () => goals.createGoal(shop, goal, adminOf(world)));
  return [
    ...all,
    () =>
      goals.createGoal(
        'blog.example',
        event('newsletter_signup', 'Wants the letter'),
        adminOf(world),
      ),
    () =>
      funnels.createFunnel(
        shop,
        {
          name: 'From cart to purchase',
          within: 'visit',
          steps: [
            event('add_to_cart', 'Into the cart'),
            page('/cart', 'Cart'),
            page('/checkout', 'Checkout'),
            event('purchase', 'Paid'),
          ],
        },
        adminOf(world),
      ),
    () => shares.createShare(shop, { name: 'For the agency' }, adminOf(world)),
  ].map((play, index): Act => ({ at: begin + index * minuteMs, play }));
}

/** Annotations that explain the peaks and dips of the charts. */
function annotationActs(world: World): Act[] {
  const {
    story: { campaigns, outage },
    app,
  } = world;
  const note = (site: string, at: number, text: string): Act => ({
    at: at + 20 * minuteMs,
    play: () =>
      app.services.annotations.createAnnotation(
        site,
        { at: new Date(at).toISOString(), text },
        adminOf(world),
      ),
  });
  const words: Readonly<Record<string, string>> = {
    'shop-launch': 'The shop is on Product Hunt',
    'summer-sale': 'Summer sale begins',
    'how-we-dye-wool': 'The coffee machine is on Hacker News',
    'winter-drop': 'Winter drop',
  };
  return [
    ...campaigns.flatMap(({ name, site, from }) =>
      words[name] === undefined ? [] : [note(site, from, words[name])],
    ),
    note(shop, outage.from, 'Orders cannot be paid'),
  ];
}

/** Goals, a funnel, a share link and annotations, created by an admin. */
export const figureActs = (world: World): Act[] => [
  ...definitionActs(world),
  ...annotationActs(world),
];
