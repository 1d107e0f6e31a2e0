// The tests start their own Redis servers.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(['redis-server'], 'redis-server');
