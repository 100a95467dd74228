import { curlEvent, curlEvents, keyHeader } from '../../areas/analytics/ingest/curl-commands.ts';

/** The built script with which pages receive messages from the sockets. */
export interface Script {
  /** A hash of the script. */
  version: string;
  /** The value of the attribute `integrity`. */
  integrity: string;
}

/** Code examples with the URL of this server. */
export function snippets(baseUrl: string) {
  const json = "\\\n  -H 'content-type: application/json'";
  const codeResponse = (channel: string, to: string): string => `{
  "success": true,
  "message": "If this address can be reached, a code is on its way.",
  "verification_id": "…",
  "channel": "${channel}",
  "to": "${to}",
  "expires_in": 300,
  "expires_at": "…",
  "resend_after": 30,
  "code_length": 6,
  "max_attempts": 5
}`;
  return {
    pixel: `<img src="${baseUrl}/analytics/pixel.gif?site=my-site"
  alt="" width="1" height="1" referrerpolicy="no-referrer-when-downgrade">`,
    script: `<script defer src="${baseUrl}/svc.min.js" data-site="my-site"></script>`,
    track: curlEvent(baseUrl, { event: 'signup', url: '/', site_id: 'my-site' }, keyHeader),
    trackResponse: '{"accepted":1,"duplicates":0,"rejected":[],"dropped":[],"request_id":"…"}',
    batch: curlEvents(
      `${baseUrl}/analytics/batch/`,
      `{"events":[
        {"event":"pageview","url":"/","site_id":"my-site"},
        {"event":"pageview","url":"/pricing","site_id":"my-site"}]}`,
      keyHeader,
    ),
    batchResponse: '{"accepted":2,"duplicates":0,"rejected":[],"dropped":[],"request_id":"…"}',
    sendCode: `curl -s ${baseUrl}/api/auth/email/initiate ${json} \\
  -d '{"email":"ana@example.com"}'`,
    sendCodeResponse: codeResponse('email', 'a•••@example.com'),
    verifyCode: `curl -s ${baseUrl}/api/auth/otp/verify ${json} \\
  -d "{\\"email\\":\\"ana@example.com\\",\\"code\\":\\"$CODE\\",
       \\"verification_id\\":\\"$VERIFICATION_ID\\"}"`,
    whoAmI: `curl -s ${baseUrl}/api/auth/me \\
  -H "authorization: Bearer $ACCESS_TOKEN"`,
    sendSms: `curl -s ${baseUrl}/api/cmyk/auth/otp/send ${json} \\
  -d '{"phone":"+1 415 555 0132"}'`,
    sendSmsResponse: codeResponse('sms', '+1•••••0132'),
    verifySms: `curl -s ${baseUrl}/api/cmyk/auth/otp/verify ${json} \\
  -d "{\\"phone\\":\\"+14155550132\\",\\"code\\":\\"$CODE\\",
       \\"verification_id\\":\\"$VERIFICATION_ID\\"}"`,
  };
}

/** A script tag with which a page of any site receives the status. */
export function messagesTag(baseUrl: string, { version, integrity }: Script): string {
  return `<script defer src="${baseUrl}/global-message-handler.js?v=${version}"
  integrity="${integrity}"
  crossorigin="anonymous" data-channels="status"
  data-url="${baseUrl.replace(/^http/, 'ws')}/ws/status/"></script>
<script>
  addEventListener('svc:message', ({ detail }) => {
    console.log(detail.channel, detail.data);
  });
</script>`;
}

/** The samples of the home page, by their languages. */
export interface HomeSamples {
  html: string;
  curl: string;
  js: string;
  python: string;
}

/** How to count a visit from a page, and an event from a server. */
export function homeSamples(baseUrl: string): HomeSamples {
  const { script, track } = snippets(baseUrl);
  const event = "{ event: 'signup', url: '/', site_id: 'my-site' }";
  return {
    html: `<!-- Counts visits, without cookies -->\n${script}`,
    curl: track,
    js: `await fetch('${baseUrl}/analytics/track/', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${event}),
});`,
    python: `import requests

requests.post(
    "${baseUrl}/analytics/track/",
    headers={"authorization": "Bearer " + API_KEY},
    json={"event": "signup", "url": "/", "site_id": "my-site"},
)`,
  };
}
