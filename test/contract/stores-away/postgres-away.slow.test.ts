import { describe } from 'vitest';
import { testAway } from './suite.ts';

describe('while PostgreSQL is away', () => testAway('postgres'));
