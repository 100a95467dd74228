import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCampaign } from '../../../../src/areas/analytics/links/campaign.ts';
import { channels, classifyVisit } from '../../../../src/areas/analytics/enrichment/channel.ts';
import { parseReferrer } from '../../../../src/areas/analytics/enrichment/referrer.ts';

function classify(query: string, referrer: string) {
  return classifyVisit(parseCampaign(`/?${query}`), parseReferrer(referrer, 'mysite.example'));
}

describe('classifyVisit', () => {
  it.each([
    ['', '', 'Direct', null],
    ['', 'https://www.mysite.example/a', 'Direct', null],
    ['utm_source=(direct)&utm_medium=(none)', '', 'Direct', null],
    ['utm_source=direct', '', 'Direct', null],
    ['utm_medium=(not+set)', '', 'Direct', null],
    ['utm_source=google&utm_medium=cpc&utm_campaign=Cross-Network', '', 'Cross-network', 'Google'],
    ['utm_campaign=cross-network', '', 'Cross-network', null],
    ['utm_source=amazon&utm_medium=cpc', '', 'Paid Shopping', 'Amazon'],
    [
      'utm_source=google&utm_medium=cpc&utm_campaign=Spring+Shopping',
      '',
      'Paid Shopping',
      'Google',
    ],
    ['utm_source=fb&utm_medium=paid&utm_campaign=e-shop', '', 'Paid Shopping', 'Facebook'],
    ['utm_source=google&utm_medium=cpc', '', 'Paid Search', 'Google'],
    ['utm_source=google&utm_medium=CPC', '', 'Paid Search', 'Google'],
    ['utm_source=bing&utm_medium=ppc', '', 'Paid Search', 'Bing'],
    ['utm_source=adwords&utm_medium=paidsearch', '', 'Paid Search', 'Google'],
    ['utm_source=yandex&utm_medium=cpm', '', 'Paid Search', 'Yandex'],
    ['utm_source=google&utm_medium=cpc&utm_campaign=workshop', '', 'Paid Search', 'Google'],
    ['gclid=x', '', 'Paid Search', 'Google'],
    ['gclid=x', 'https://www.google.com/', 'Paid Search', 'Google'],
    ['gclid=x', 'https://www.youtube.com/', 'Paid Video', 'YouTube'],
    ['gbraid=x', 'https://syndication.example/', 'Paid Search', 'Google'],
    ['msclkid=x', 'https://www.bing.com/', 'Paid Search', 'Bing'],
    ['yclid=x', '', 'Paid Search', 'Yandex'],
    ['dclid=x', '', 'Display', 'Google'],
    ['utm_source=facebook&utm_medium=paid_social', '', 'Paid Social', 'Facebook'],
    ['utm_source=ig&utm_medium=cpc', '', 'Paid Social', 'Instagram'],
    ['utm_source=linkedin.com&utm_medium=retargeting', '', 'Paid Social', 'LinkedIn'],
    ['twclid=x', 'https://t.co/a', 'Paid Social', 'X'],
    ['li_fat_id=x', '', 'Paid Social', 'LinkedIn'],
    ['rdt_cid=x', '', 'Paid Social', 'Reddit'],
    ['utm_source=youtube&utm_medium=cpc', '', 'Paid Video', 'YouTube'],
    ['ttclid=x', '', 'Paid Video', 'TikTok'],
    ['utm_source=dv360&utm_medium=display', '', 'Display', 'dv360'],
    ['utm_source=adnet&utm_medium=banner', '', 'Display', 'adnet'],
    ['utm_source=adnet&utm_medium=interstitial', '', 'Display', 'adnet'],
    ['utm_source=adnet&utm_medium=cpm', '', 'Display', 'adnet'],
    ['utm_source=newsletter&utm_medium=cpc', '', 'Paid Other', 'newsletter'],
    ['utm_source=chatgpt.com&utm_medium=cpc', '', 'Paid Other', 'ChatGPT'],
    ['tblci=x', '', 'Paid Other', 'taboola'],
    ['utm_source=chatgpt.com', '', 'AI Assistant', 'ChatGPT'],
    ['utm_source=whatever&utm_medium=ai-assistant', '', 'AI Assistant', 'whatever'],
    ['', 'https://chatgpt.com/', 'AI Assistant', 'ChatGPT'],
    ['', 'https://gemini.google.com/', 'AI Assistant', 'Gemini'],
    ['', 'https://www.perplexity.ai/', 'AI Assistant', 'Perplexity'],
    ['', 'https://www.amazon.de/', 'Organic Shopping', 'Amazon'],
    ['utm_source=blog&utm_campaign=eshop', '', 'Organic Shopping', 'blog'],
    ['', 'https://l.facebook.com/', 'Organic Social', 'Facebook'],
    ['fbclid=x', 'https://l.facebook.com/', 'Organic Social', 'Facebook'],
    ['fbclid=x', '', 'Organic Social', 'Facebook'],
    ['igshid=x', '', 'Organic Social', 'Instagram'],
    ['', 'https://news.ycombinator.com/', 'Organic Social', 'Hacker News'],
    ['', 'https://t.co/x', 'Organic Social', 'X'],
    ['utm_source=buffer&utm_medium=social', '', 'Organic Social', 'buffer'],
    ['utm_source=x&utm_medium=sm', '', 'Organic Social', 'X'],
    ['ref=producthunt', '', 'Organic Social', 'Product Hunt'],
    ['', 'https://www.youtube.com/', 'Organic Video', 'YouTube'],
    ['utm_source=partner&utm_medium=video-post', '', 'Organic Video', 'partner'],
    ['', 'https://www.google.com/', 'Organic Search', 'Google'],
    ['', 'https://duckduckgo.com/', 'Organic Search', 'DuckDuckGo'],
    ['', 'android-app://com.google.android.googlequicksearchbox', 'Organic Search', 'Google'],
    ['utm_source=gmb&utm_medium=organic', '', 'Organic Search', 'gmb'],
    ['', 'https://blog.example.org/', 'Referral', 'blog.example.org'],
    ['fbclid=x', 'https://blog.example.org/', 'Referral', 'blog.example.org'],
    ['utm_source=partner&utm_medium=referral', '', 'Referral', 'partner'],
    ['utm_source=partner&utm_medium=link', '', 'Referral', 'partner'],
    ['utm_source=partner', '', 'Referral', 'partner'],
    ['ref=somewhere', 'https://blog.example.org/', 'Referral', 'somewhere'],
    ['', 'android-app://org.example.reader', 'Referral', 'org.example.reader'],
    ['utm_source=newsletter&utm_medium=email', '', 'Email', 'newsletter'],
    ['utm_source=mailchimp&utm_medium=E-Mail', '', 'Email', 'mailchimp'],
    ['utm_source=email', '', 'Email', 'email'],
    ['', 'https://mail.google.com/', 'Email', 'Gmail'],
    ['', 'android-app://com.google.android.gm', 'Email', 'Gmail'],
    ['utm_source=partner&utm_medium=affiliate', '', 'Affiliates', 'partner'],
    ['irclickid=x', '', 'Affiliates', 'impact'],
    ['utm_source=spotify&utm_medium=audio', '', 'Audio', 'spotify'],
    ['utm_source=sms', '', 'SMS', 'sms'],
    ['utm_source=twilio&utm_medium=sms', '', 'SMS', 'twilio'],
    ['utm_source=app&utm_medium=web-push', '', 'Mobile Push Notifications', 'app'],
    ['utm_source=app&utm_medium=notification', '', 'Mobile Push Notifications', 'app'],
    ['utm_source=app&utm_medium=qr', '', 'Unassigned', 'app'],
    ['utm_campaign=spring', '', 'Unassigned', null],
  ])('?%s from %s is %s', (query, referrer, channel, source) => {
    expect(classify(query, referrer)).toEqual({ channel, source });
  });

  it('returns a known channel for any input', () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 });
    const tags = fc.record(
      { utm_source: text, utm_medium: text, utm_campaign: text, gclid: text },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(tags, text, (given, referrer) => {
        const query = Object.entries(given)
          .map(([key, value]) => `${key}=${encodeURIComponent(Buffer.from(value).toString())}`)
          .join('&');
        expect(channels).toContain(classify(query, `https://${referrer}`).channel);
      }),
      { numRuns: 1000 },
    );
  });
});
