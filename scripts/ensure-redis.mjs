// The tests start Redis servers of their own, so they need the program.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(['redis-server'], 'redis-server');
