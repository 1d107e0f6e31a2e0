// Gets a Kafka broker for the test of kafka-ingest. Debian has no package of it; Maven Central has its jars, which are
// checked by one hash over all of them. Needs `java` and `mvn`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '4.4.0';
/** Where this script puts the jars. */
const FOLDER = join(import.meta.dirname, `../node_modules/.cache/kafka-${VERSION}`);
const SHA256 = '561062bb8f1630291725648d7bff5c261f46bc1dcac6ef32f6c9b29a2b696497';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>`;

/** Ensures that the broker's jars are in the cache of this repository. */
export function ensureKafka() {
  if (existsSync(FOLDER)) return;
  const unchecked = `${FOLDER}.unchecked`;
  rmSync(unchecked, { recursive: true, force: true });
  mkdirSync(unchecked, { recursive: true });
  const pom = join(unchecked, 'pom.xml');
  writeFileSync(pom, POM);
  const options = ['--batch-mode', '--quiet', '--file', pom, '-DincludeScope=runtime'];
  const { status, stdout } = spawnSync('mvn', [...options, `-DoutputDirectory=${unchecked}`, COPY], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Kafka was not installed: ${stdout}`);
  rmSync(pom);
  const all = createHash('sha256');
  for (const jar of readdirSync(unchecked).toSorted())
    all.update(jar).update(readFileSync(join(unchecked, jar)));
  const found = all.digest('hex');
  if (found !== SHA256) throw new Error(`Kafka's jars have the hash ${found} instead of ${SHA256}.`);
  renameSync(unchecked, FOLDER);
}
