import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { postgresAccount } from '#apps/standalone/src/postgres/account';
import { DocumentedBackup } from '#test/support/documented-backup';
import { blocksOf, PageSession } from '#test/support/documented-page';
import { OwnPostgres } from '#test/support/own-postgres';
import { runSql } from '#test/support/run-sql';
import { waitUntil } from '#test/support/wait-until';

const PAGE = 'docs/high-availability.md';

/** How far a standby is, as the page asks for it. */
export interface Progress {
  readonly application_name: string;
  readonly sync_state: string;
  readonly bytes_behind: number;
  readonly ms_behind: number | null;
  readonly pid: number;
}

/** A primary and its standby, made and promoted with the commands of docs/high-availability.md. */
export class DocumentedStandby {
  /** The caller calls `remove`. */
  static async create(): Promise<DocumentedStandby> {
    const backup = await DocumentedBackup.create();
    const primary = backup.postgres;
    const blocks = documented();
    await runSql(primary.adminUrl, blocks.role);
    await backup.takeBaseBackup();
    const standby = await OwnPostgres.create({
      makeData: async (dataFolder) => {
        await mkdir(dirname(dataFolder));
        const variables = { PGDATA: dataFolder, BACKUP: backup.base };
        const session = PageSession.start(backup.base, variables, { 5432: primary.port });
        const account = postgresAccount();
        try {
          await session.run(blocks.fill.replace('host=a ', 'host=127.0.0.1 '));
          if (account !== undefined)
            await session.run(`chown -R ${account.uid}:${account.gid} "$(dirname "$PGDATA")"`);
        } finally {
          await session.end();
        }
      },
    });
    const pair = new DocumentedStandby(backup, primary, standby, blocks);
    await pair.untilStreaming();
    return pair;
  }

  private constructor(
    private readonly backup: DocumentedBackup,
    readonly primary: OwnPostgres,
    readonly standby: OwnPostgres,
    private readonly blocks: ReturnType<typeof documented>,
  ) {}

  /** Both hosts, as DATABASE_URL has them. */
  get url(): string {
    const both = `127.0.0.1:${this.primary.port},127.0.0.1:${this.standby.port}`;
    return `${this.primary.adminUrl.replace(/127\.0\.0\.1:\d+/, both)}?target_session_attrs=read-write`;
  }

  async progress(): Promise<Progress | undefined> {
    return (await runSql<Progress>(this.primary.adminUrl, this.blocks.progress))[0];
  }

  async untilStreaming(): Promise<void> {
    await waitUntil(async () => (await this.progress())?.bytes_behind === 0, {
      what: 'the standby to have everything',
    });
  }

  /** From now on a commit on the primary waits until a standby has applied it. */
  async waitForStandby(): Promise<void> {
    // One statement after the other: ALTER SYSTEM cannot run in a transaction.
    for (const statement of this.blocks.synchronous.trim().split('\n'))
      await runSql(this.primary.adminUrl, statement);
    await waitUntil(async () => (await this.progress())?.sync_state === 'quorum', {
      what: 'the standby to be synchronous',
    });
  }

  async promote(): Promise<void> {
    await runSql(this.standby.adminUrl, this.blocks.promote);
  }

  /** What the page looks at after a promotion. */
  async check(): Promise<{ recovering: boolean; last_accepted: Date } | undefined> {
    return (
      await runSql<{ recovering: boolean; last_accepted: Date }>(this.standby.adminUrl, this.blocks.check)
    )[0];
  }

  async remove(): Promise<void> {
    await this.standby.remove();
    await this.backup.remove();
  }
}

/** The blocks of the page that are run. @throws when it has another number of them than this file knows */
function documented() {
  const blocks = blocksOf(PAGE).filter(({ language }) => language !== 'text');
  const [role = '', fill = '', progress = '', synchronous = '', promote = '', check = '', ...more] =
    blocks.map(({ text }) => text);
  if (check === '' || more.length > 0) throw new Error(`${PAGE} has ${String(blocks.length)} blocks to run`);
  return { role, fill, progress, synchronous, promote, check };
}
