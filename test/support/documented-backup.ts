import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { postgresAccount } from '#apps/standalone/src/postgres/account';
import { blocksOf, PageSession } from '#test/support/documented-page';
import { OwnPostgres } from '#test/support/own-postgres';
import { runSql } from '#test/support/run-sql';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';

const PAGE = 'docs/backup-and-restore.md';
const ARCHIVE = '/backup/wal';

/** The blocks of the page, in order. A name changes with the page. */
const NAMES = ['archive', 'begin', 'copy', 'end', 'label', 'restore', 'replayed', 'resume'] as const;
type Name = (typeof NAMES)[number];

/**
 * A PostgreSQL server that is archived, backed up and restored with the configuration and the commands of
 * docs/backup-and-restore.md. Only the archive's folder is another one.
 */
export class DocumentedBackup {
  /** Makes an empty cluster that archives its log, and starts it. The caller calls `remove`. */
  static async create(): Promise<DocumentedBackup> {
    const folder = await temporaryFolder('backup');
    try {
      const archive = join(folder.path, 'wal');
      await mkdir(archive);
      // PostgreSQL writes to it with its own account.
      await chmod(archive, 0o777);
      const blocks = documented(archive);
      const postgres = await OwnPostgres.create({ settings: settingsIn(blocks.archive) });
      return new DocumentedBackup(postgres, folder, archive, blocks);
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  private constructor(
    readonly postgres: OwnPostgres,
    private readonly folder: TemporaryFolder,
    private readonly archive: string,
    private readonly blocks: Readonly<Record<Name, string>>,
  ) {}

  /** The folder of the base backup: `BACKUP` on the pages. */
  get base(): string {
    return this.folder.path;
  }

  /** Section 3 of the page, without `pg_basebackup`, which the npm package of PostgreSQL does not contain. */
  async takeBaseBackup(): Promise<void> {
    const session = new Client({ connectionString: this.postgres.adminUrl });
    await session.connect();
    try {
      await session.query(this.blocks.begin);
      await this.runInShell(this.blocks.copy);
      const { rows } = await session.query<{ labelfile: string }>(this.blocks.end);
      await writeFile(join(this.folder.path, 'backup_label'), rows[0]?.labelfile ?? '');
      await this.runInShell(this.blocks.label);
    } finally {
      await session.end();
    }
  }

  /** Ends the current segment of the log, and returns when the archive has it. */
  async archiveLog(): Promise<void> {
    const [switched] = await this.ask<{ segment: string }>(
      'select pg_walfile_name(pg_switch_wal()) as segment',
    );
    const segment = switched?.segment ?? '';
    await waitUntil(async () => (await readdir(this.archive)).includes(segment), {
      what: `the archive to have ${segment}`,
    });
  }

  /** Crashes PostgreSQL and deletes its data directory. */
  async lose(): Promise<void> {
    await this.postgres.stop({ hard: true });
    await rm(this.postgres.dataFolder, { recursive: true });
  }

  /** Restores the data to an instant, and starts PostgreSQL, which replays its log and pauses there, as section 4 has it. */
  async restore(instant: string): Promise<void> {
    await this.runInShell(this.blocks.restore, { T: instant });
    await this.giveToPostgres();
    await this.postgres.start();
    await waitUntil(
      async () =>
        (await this.ask<{ state: string }>('select pg_get_wal_replay_pause_state() as state'))[0]?.state ===
        'paused',
      { what: `the recovery to pause at ${instant}` },
    );
  }

  /** What the page looks at before it goes on. */
  async replayed(): Promise<{ replayed_until: Date; last_accepted: Date } | undefined> {
    const [row] = await this.ask<{ replayed_until: Date; last_accepted: Date }>(this.blocks.replayed);
    return row;
  }

  /** Ends the recovery, and returns when PostgreSQL accepts writes. */
  async resume(): Promise<void> {
    await this.ask(this.blocks.resume);
    await waitUntil(
      async () =>
        (await this.ask<{ recovering: boolean }>('select pg_is_in_recovery() as recovering'))[0]
          ?.recovering === false,
      { what: 'PostgreSQL to accept writes' },
    );
  }

  async remove(): Promise<void> {
    await this.postgres.remove();
    await this.folder.remove();
  }

  /** The page's reader is the user `postgres`; a test that runs as root gives the files to PostgreSQL's account. */
  private async giveToPostgres(): Promise<void> {
    const account = postgresAccount();
    if (account === undefined) return;
    await this.runInShell(`chown -R ${String(account.uid)}:${String(account.gid)} "$PGDATA"`);
  }

  private ask<Row extends QueryResultRow>(statement: string): Promise<Row[]> {
    return runSql<Row>(this.postgres.adminUrl, statement);
  }

  private async runInShell(commands: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const variables = { PGDATA: this.postgres.dataFolder, BACKUP: this.folder.path, ...env };
    const session = PageSession.start(this.folder.path, variables, {});
    try {
      await session.run(commands);
    } finally {
      await session.end();
    }
  }
}

/** @throws when the page has another number of blocks than this file knows */
function documented(archive: string): Record<Name, string> {
  const blocks = blocksOf(PAGE).filter(({ language }) => language !== 'text');
  if (blocks.length !== NAMES.length) throw new Error(`${PAGE} has ${String(blocks.length)} blocks to run`);
  const textOf = (name: Name): string =>
    (blocks[NAMES.indexOf(name)]?.text ?? '').replaceAll(ARCHIVE, archive);
  return {
    archive: textOf('archive'),
    begin: textOf('begin'),
    copy: textOf('copy'),
    end: textOf('end'),
    label: textOf('label'),
    restore: textOf('restore'),
    replayed: textOf('replayed'),
    resume: textOf('resume'),
  };
}

/** The settings of a part of `postgresql.conf`. */
const settingsIn = (configuration: string): Record<string, string> =>
  Object.fromEntries(
    [...configuration.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
