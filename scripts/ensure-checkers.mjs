// The alert rules are tested with Prometheus' own promtool, and the Python code of the page for consumers with Python.
// Where one of them cannot be had its test is skipped, but not in CI.
import { ensureProgram } from './install-debian.mjs';

const isRequired = Boolean(process.env.CI);
ensureProgram(['promtool'], 'prometheus', { isRequired });
ensureProgram(['python3'], 'python3', { isRequired });
