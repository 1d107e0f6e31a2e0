// The benchmark reads the kernel's counters of connections with it.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(['ss'], 'iproute2');
