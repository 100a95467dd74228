/** Umami's browsers (names of `detect-browser`), and the service's names for them. */
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

/** The browser's name in our figures; one that is on no list keeps its own. */
export function browserName(name: string): string | undefined {
  return name === '' ? undefined : (browsers.get(name.toLowerCase()) ?? name);
}

/** System and version: Umami writes Windows versions into the name (`Windows 10`). */
export function systemName(name: string): { os?: string; os_version?: string } {
  if (name === '') return {};
  const known = systems.get(name.toLowerCase());
  if (known !== undefined) return { os: known };
  const version = /^Windows (.+)$/i.exec(name)?.[1];
  return version === undefined ? { os: name } : { os: 'Windows', os_version: version };
}

/** Umami tells laptops from desktops by the width of their screens; here both are desktops. */
export function deviceName(name: string): string | undefined {
  return name === '' ? undefined : (devices.get(name.toLowerCase()) ?? 'unknown');
}
