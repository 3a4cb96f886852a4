import { describe } from 'vitest';
import { attackSuite } from './attack-suite';

describe(process.getuid?.() === 0 ? 'attacks, as root' : 'attacks', attackSuite);
