import { describe } from 'vitest';
import { testAway } from './suite.ts';

describe('while Redis is away', () => testAway('redis'));
