import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { weaknessOfSecret } from '../../../src/lib/secrets/guessable.ts';

const good: Record<string, string> = {
  'openssl rand -hex 32': '9f2c61e07b3d84aa5c1f0e9d72b6384fd1a5c8e37096b24f8d3ac75e10f9b642',
  'openssl rand -hex 16': '4e9b07d25c81f36ab0947fe2d861c35a',
  'openssl rand -base64 32': 'q8Vb3xZ0nT5rLw1YkHc7DfJ2sGm9PaUeQ4oRtKzXiNE=',
  base64url: 'Zt3_xV9q-LbW0rYkHc7DfJ2sGm9PaUeQ4oRtKzXiNEo',
  'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'a short one of Stripe': 'whsec_8dK2mQpXw4TnVz0b',
  'a UUID': '3b9d7c14-52ea-4f08-9a6d-e17b40c2859f',
  'an auth token of Twilio': '7c1d94e0ab5f3826d40b9ec75f12a8d3',
  'a client secret of Google': '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',
  'words of a dice list': 'tulip-anvil-cobalt-pretzel-marsh-vividly-unglue-kelp',
  "a sentence of one's own": 'seven lazy otters paint Gothenburg tram 9 purple on Thursdays',
  'random with a name before it': 'my-service-key-9f2c61e07b3d84aa5c1f0e9d72b6384f',
  digits: '73019264850317429605813947206158',
  'upper case': 'QXKZJVHWPLMRTYBNGDFSCEUAOIQZXWVK',
  'sixteen hexadecimal digits': '9f2c61e07b3d84aa',
};

const bad: Record<string, string> = {
  'one character': 'a'.repeat(64),
  'a repeated word': 'changeme'.repeat(4),
  'a repeated unit': 'a1b2c3'.repeat(8),
  'a repeated random unit': '9f2c61e0'.repeat(8),
  'two halves of two characters': `${'0'.repeat(32)}${'1'.repeat(32)}`,
  'the alphabet': 'abcdefghijklmnopqrstuvwxyz012345',
  'the alphabet backwards': 'zyxwvutsrqponmlkjihgfedcba987654',
  'digits in order': '0123456789'.repeat(4),
  'hexadecimal digits in order': '0123456789abcdef0123456789abcdef',
  'pairs in order': '00112233445566778899aabbccddeeff',
  'the keyboard': 'qwertyuiopasdfghjklzxcvbnm1234567890',
  'columns of the keyboard': '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9',
  'symbols of the keyboard': '!@#$%^&*()!@#$%^&*()!@#$%^&*()!@',
  'an instruction': 'change-me-to-a-long-random-string',
  'a placeholder': 'your-secret-key-must-be-at-least-32-characters',
  words: 'this-is-a-very-secret-key-please-change',
  'words with digits': 'SuperSecretPassword123456789012345',
  leetspeak: 'Ch4ng3m3P@ssw0rdS3cr3tCh4ng3m3!!',
  'a name and digits in order': 'test-admin-key-0123456789abcdef0123',
  "the comic's passphrase": 'correct-horse-battery-staple-secret',
  'capitals and an end': `${'Password'.repeat(4)}!1`,
  'base64 of words': Buffer.from('changeme-changeme-secret-password').toString('base64'),
  'hexadecimal of words': Buffer.from('supersecretpassword').toString('hex'),
  'a webhook prefix before nothing': 'whsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'a webhook prefix before words': 'whsec_change_me_please',
  'two characters in no order': 'abbabaabbaababbabaababbaabbabaab',
  short: 'hunter2',
  'a year': 'company2024company2025company2026',
};

describe("a secret that can't be guessed", () => {
  it.each(Object.entries(good))('%s', (_name, secret) => {
    expect(weaknessOfSecret(secret)).toBeUndefined();
  });

  it('is any random one: of 2,000 of each form, none is refused', () => {
    const forms: ((bytes: Buffer) => string)[] = [
      (bytes) => bytes.toString('hex'),
      (bytes) => bytes.toString('base64'),
      (bytes) => `whsec_${bytes.toString('base64url')}`,
      (bytes) => bytes.subarray(0, 16).toString('hex'),
    ];
    // The same secrets in every run, so that a failure can be reproduced.
    const bytesOf = (index: number) => createHash('sha256').update(`secret ${index}`).digest();
    for (const form of forms)
      expect(
        Array.from({ length: 2000 }, (_, index) => form(bytesOf(index))).filter(
          (secret) => weaknessOfSecret(secret) !== undefined,
        ),
      ).toEqual([]);
    expect(weaknessOfSecret(randomBytes(32).toString('hex'))).toBeUndefined();
    expect(weaknessOfSecret(randomUUID())).toBeUndefined();
  });
});

describe('a secret that can be guessed', () => {
  it.each(Object.entries(bad))('%s', (_name, secret) => {
    expect(weaknessOfSecret(secret)).toBeDefined();
  });

  it.each([
    ['changeme-please-secret', 'is made of common words'],
    ['qwertyuiopasdfghjkl', 'is a sequence of the alphabet or the keyboard'],
    ['f7f7f7f7f7f7f7f7f7f7', 'repeats itself'],
    ['x9k2p', 'has too few different characters'],
  ])('%s: the reason is given', (secret, why) => {
    expect(weaknessOfSecret(secret)).toBe(why);
  });

  it('a huge one is checked quickly', () => {
    expect(weaknessOfSecret('ab'.repeat(1_000_000))).toBe('repeats itself');
  });
});
