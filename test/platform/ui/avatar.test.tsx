import { describe, expect, it } from 'vitest';
import { Avatar } from '../../../src/platform/ui/components/avatar.tsx';

describe('an avatar without a picture', () => {
  it.each([
    ['Zoe Schneider', 'ZS'],
    ['Sean O’Brien', 'SO'],
    ['ada', 'A'],
    ['ada.lovelace@mail.example', 'AL'],
    ['ada.lovelace7@mail.example', 'AL'],
    ['hello@wool.example', 'H'],
    ['hello7@wool.example', 'H7'],
    ['@handle', 'H'],
    ['+49 170 1234567', '11'],
    ['', '?'],
  ])('of %s shows the letters %s', (name, letters) => {
    expect(Avatar({ name })).toContain(`>${letters}</span>`);
  });
});
