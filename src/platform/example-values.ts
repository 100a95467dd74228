const ids = {
  person: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
  thing: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  device: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
};
const [early, late, later] = ['2026-05-04T09:30:00.000Z', '2026-05-04T10:15:00.000Z', '2026-08-02T09:30:00.000Z'];
const bytes32 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/**
 * What members and parameters of these names look like, for examples in the reference. A list holds several forms: the
 * first one that fits a schema is taken. A schema with an example of its own does not ask here.
 */
export const exampleValues: Readonly<Record<string, readonly unknown[]>> = {
  // People and credentials
  email: ['ada@example.com'], identifier: ['ada@example.com'], login_hint: ['ada@example.com'],
  phone: ['+1 415 555 0132'], phone_number: ['+14155550132'],
  name: ['Ada Lovelace'], displayName: ['Ada Lovelace'], picture: [null], locale: ['en'], language: ['en'], languages: ['en'],
  user_id: [ids.person], actor_id: [ids.person], target_id: [ids.thing], sub: [ids.person], decided_by: [ids.person],
  code: ['482913'], number: ['42'], verification_id: ['vrf_8sK2mQpXw4Tn'], mfa_token: [null, 'mfa_7Rk1cV9bQe2Lx0Ty'],
  access_token: ['svca_2Jq8xW5nRt0ZkYb7'], refresh_token: ['svcr_9Lm3vD6pHs1QwEx4'], token: ['k3Jx9Qw2LmT7'], token_type: ['Bearer'], scope: ['openid'],
  session_id: ['ses_4Tz7Qm'], amr: ['otp'], acr: ['aal1'], auth_time: [1_777_887_000], mfa_methods: ['totp'], backup_codes: ['7kq2-m9xd'], secret: ['JBSWY3DPEHPK3PXP'],
  otpauth_url: ['otpauth://totp/Platform:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Platform'], qr_svg: ['<svg xmlns="http://www.w3.org/2000/svg">…</svg>'],
  key: ['svc_live_5Yt8Wq2NcR7x'], hint: ['svc_live_5Yt8'], code_challenge: [bytes32], code_verifier: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'], state: ['cleared', 'open', 'wXb3mQ8t'],
  // Devices
  device_id: [ids.device], device_name: ['Ada\'s laptop'], device_state: ['cleared'], platform: ['desktop'], os: ['macOS'], os_version: ['15.4'], browser: ['Firefox'], browser_version: ['138.0'],
  device: ['desktop'], client: ['Firefox on macOS'], network: ['203.0.113.0/24'], fingerprint: ['f3a91c7e'], nonce: ['n-0S6_WzA2Mj'], x: [bytes32], y: [bytes32],
  id: [ids.thing, '8m2Qk7Xv1TzR', 'api'], rawId: ['8m2Qk7Xv1TzR'], challenge: ['pO2wX6cT9sK1vB4n'], clientDataJSON: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'], attestationObject: ['o2NmbXRkbm9uZQ'], authenticatorData: ['SZYN5YgOjGh0NBcP'],
  signature: ['MEUCIQDx7Vb2'], userHandle: ['dXNlcg'], rpId: ['platform.example'], alg: [-7], transports: ['internal'], timeout: [300_000], trust_score: [80], requirements: ['clearance'], country: ['DE', 'US'],
  // Answers
  next_cursor: [null], cursor: [ids.thing], total: [1], limit: [20], ok: [true], success: [true], message: ['A code is on its way.', 'The request was answered.'], detail: ['The request was answered.'], request_id: [ids.thing, '0f4c1a52e1b76d38'],
  reason: ['A new laptop', 'user_request', null], reasons: [{ code: 'travel', text: 'Used in two countries within an hour.' }], note: ['Known from the office.'], actor: [{ kind: 'user', id: ids.person }], action: ['session.created'], kind: ['user'], target: ['https://api.example.com/health'], address: ['203.0.113.0'],
  to: ['2026-05-05', 'a•••@example.com'], channel: ['email', 'sms'], expires_in: [600], refresh_expires_in: [2_592_000], resend_after: [30], code_length: [6], max_attempts: [5], is_new_user: [false], mfa_required: [false],
  method: ['GET'], links: ['/api/docs'], docs: ['/api/docs'], path: ['/ws/status/'], url: ['https://platform.example/docs'], next: ['/account'], login_url: ['/login'], authorization_url: ['https://id.example.com/authorize?client_id=platform&state=wXb3mQ8t'], redirect_uri: ['com.example.app:/callback'], iss: ['https://id.example.com'],
  version: ['0.1.0'], environment: ['production'], service: ['cmyk'], serviceId: ['platform-service'], releaseId: ['2026-05-04.1'], output: ['The check took 1200 ms.'], description: ['What people see of the service.'], affectedEndpoints: ['/api/status'],
  // Analytics
  site_id: ['example.com'], site: ['example.com'], event: ['pageview'], page: ['/pricing'], referrer: ['https://news.example.org/'], title: ['Pricing'], timezone: ['Europe/Berlin', 'UTC'], time_zone: ['UTC'], filter: ['source:is:Google'], value: ['/pricing'], from: ['2026-05-01'], period: ['7d'],
  visitors: [1284], visits: [1519], pageviews: [4207], events: [4630], bounce_rate: [38.2], visit_duration_mean: [94.5], visit_duration_median: [41], views_per_visit: [2.8], conversion_rate: [3.1], visitors_now: [7], accepted: [1], duplicates: [0], last_event_at: [late],
  ip: ['203.0.113.7'], user_agent: ['Mozilla/5.0'], currency: ['EUR'], amount: ['19.90'], tag: ['spring'], visitor_id: ['5f0c2e7a91b34d68'], screen: ['1440x900'],
  // Status
  uptime: [99.98], impact: ['minor'], indicator: ['minor', 'none'], group: ['Interfaces'], group_id: [null], position: [1], body: ['We are looking into slow figures.'], label: ['API'], color: ['brightgreen'], component: ['analytics', 'api'], components: ['analytics'], interval_s: [60], timeout_ms: [10_000], expected_status: [[200, 204], 200, null], schemaVersion: [1],
  // Postal codes
  bots: ['false'], keep_current: ['false'], zip: ['94103'], postal_code: ['94103'],
  // Times
  created_at: [early], updated_at: [late], at: [early], time: [late], since: ['2026-05-01T00:00:00Z'], until: ['2026-05-05T00:00:00Z'], start: ['2026-05-04'], expires_at: [later], last_used_at: [late], last_seen: [late], first_seen: [early], idle_expires_at: [later], resolved_at: [null], revoked_at: [null], confirmed_at: [late], decided_at: [null], scheduled_for: ['2031-05-10T02:00:00Z'], scheduled_until: ['2031-05-10T04:00:00Z'],
};

/** What strings of these formats look like. */
export const exampleFormats: Readonly<Record<string, string>> = {
  uuid: ids.thing, 'date-time': early, date: '2026-05-04', email: 'ada@example.com', uri: 'https://platform.example/', ipv4: '203.0.113.7', ipv6: '2001:db8::7',
};
