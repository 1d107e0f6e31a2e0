// promtool tests the alert rules; Python, Go and Java test the code for consumers; Helm renders the chart; Maven gets the
// broker that kafka-ingest is tested with. A test without its program is skipped, except in CI.
import { ensureHelm } from './ensure-helm.mjs';
import { ensureKafka } from './ensure-kafka.mjs';
import { ensureProgram } from './install-debian.mjs';

const isRequired = Boolean(process.env.CI);
ensureProgram(['promtool'], 'prometheus', { isRequired });
ensureProgram(['python3'], 'python3', { isRequired });
// Large packages, which nobody gets for running the tests once.
if (isRequired) {
  ensureProgram(['go'], 'golang-go');
  ensureProgram(['javac'], 'default-jdk-headless');
  ensureProgram(['pip3', 'pip'], 'python3-pip');
  ensureHelm();
  ensureProgram(['mvn'], 'maven');
  ensureKafka();
}
