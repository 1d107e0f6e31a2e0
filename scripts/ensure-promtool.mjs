// The alert rules are tested with Prometheus' own promtool. Where it cannot be had that test is skipped, but not in CI.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(['promtool'], 'prometheus', { isRequired: Boolean(process.env.CI) });
