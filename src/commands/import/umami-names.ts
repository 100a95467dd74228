/** The service's browser names by those of Umami, which come from `detect-browser`. */
const browsers = new Map(
  Object.entries({
    aol: 'AOL',
    android: 'Android Browser',
    bb10: 'BlackBerry',
    brave: 'Brave',
    chrome: 'Chrome',
    'chromium-webview': 'Chrome',
    crios: 'Chrome',
    duckduckgo: 'DuckDuckGo',
    edge: 'Edge',
    'edge-chromium': 'Edge',
    'edge-ios': 'Edge',
    facebook: 'Facebook',
    firefox: 'Firefox',
    fxios: 'Firefox',
    ie: 'Internet Explorer',
    instagram: 'Instagram',
    ios: 'Safari',
    'ios-webview': 'Safari',
    kakaotalk: 'KakaoTalk',
    miui: 'MIUI Browser',
    opera: 'Opera',
    'opera-mini': 'Opera',
    opr: 'Opera',
    phantomjs: 'PhantomJS',
    safari: 'Safari',
    samsung: 'Samsung Internet',
    silk: 'Amazon Silk',
    vivaldi: 'Vivaldi',
    yandexbrowser: 'Yandex Browser',
  }),
);

const systems = new Map(
  Object.entries({
    'mac os': 'macOS',
    'android os': 'Android',
    'chrome os': 'Chrome OS',
    ios: 'iOS',
    linux: 'Linux',
    'amazon os': 'Fire OS',
    'blackberry os': 'BlackBerry',
    'open bsd': 'OpenBSD',
    'sun os': 'SunOS',
    'windows mobile': 'Windows Phone',
  }),
);

const devices = new Map(
  Object.entries({ desktop: 'desktop', laptop: 'desktop', mobile: 'mobile', tablet: 'tablet' }),
);

/** Returns the service's name of a browser; unlisted names stay as they are. */
export function browserName(name: string): string | undefined {
  return name === '' ? undefined : (browsers.get(name.toLowerCase()) ?? name);
}

/** Splits system and version: Umami has Windows versions in the name (`Windows 10`). */
export function systemName(name: string): { os?: string; os_version?: string } {
  if (name === '') return {};
  const known = systems.get(name.toLowerCase());
  if (known !== undefined) return { os: known };
  const version = /^Windows (.+)$/i.exec(name)?.[1];
  return version === undefined ? { os: name } : { os: 'Windows', os_version: version };
}

/** Umami distinguishes laptops from desktops by screen width; the service does not. */
export function deviceName(name: string): string | undefined {
  return name === '' ? undefined : (devices.get(name.toLowerCase()) ?? 'unknown');
}
