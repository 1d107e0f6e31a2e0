// promtool tests the alert rules, Python tests the examples for consumers. A test without its program is skipped, except
// in CI.
import { ensureProgram } from './install-debian.mjs';

const isRequired = Boolean(process.env.CI);
ensureProgram(['promtool'], 'prometheus', { isRequired });
ensureProgram(['python3'], 'python3', { isRequired });
