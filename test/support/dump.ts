import { everyEncoding } from '#test/support/every-encoding';
import { runSql } from '#test/support/run-sql';

/** Where something may come to light: a table, a log, an answer. */
interface Place {
  readonly name: string;
  readonly text: string;
}

/** What must not come to light, but where it belongs. */
interface Planted {
  readonly what: string;
  readonly secret: string | Buffer;
  readonly belongs: RegExp | undefined;
}

export interface Asking {
  key?: string;
  /** As it is sent; `application/json` unless a header says otherwise. */
  body?: string;
  headers?: Record<string, string>;
}

/** Everything that a system has let out or kept, to look for what is in it. */
export class Dump {
  private readonly places: Place[] = [];
  private readonly planted: Planted[] = [];

  constructor(private readonly baseUrl: string) {}

  /** Remembers a secret; `belongs` tells by their names in which places it may be. */
  plant(what: string, secret: string | Buffer, belongs?: RegExp): void {
    this.planted.push({ what, secret, belongs });
  }

  keep(name: string, text: string): void {
    this.places.push({ name, text });
  }

  /** One request as its sender wrote it; what it is answered with is kept, but for a cookie, which is the browser's. */
  async ask(who: string, method: string, path: string, given: Asking = {}): Promise<Response> {
    const { key, body, headers = {} } = given;
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const kind = response.status >= 400 ? 'problem' : 'answer';
    const shown = [...response.headers].filter(([name]) => name !== 'set-cookie');
    this.keep(
      `${kind} to ${who}: ${method} ${path}`,
      `${await response.clone().text()}\n${JSON.stringify(shown)}`,
    );
    return response;
  }

  /** Keeps every row of every table, in whichever schema. */
  async keepTables(databaseUrl: string): Promise<void> {
    const tables = await runSql<{ name: string }>(
      databaseUrl,
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind in ('r', 'p') and not c.relispartition
         and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
    );
    for (const { name } of tables) {
      const rows = await runSql<{ text: string; json: string }>(
        databaseUrl,
        `select t::text as text, to_json(t)::text as json from ${name} t`,
      );
      this.keep(`table ${name}`, rows.map(({ text, json }) => `${text}\n${json}`).join('\n'));
    }
  }

  /** The places that hold a text. */
  holding(text: string): string[] {
    return this.places.filter((place) => place.text.includes(text)).map(({ name }) => name);
  }

  /** What has come to light where it does not belong, in whatever encoding: `a password in table attempts`. */
  findings(): string[] {
    const found = this.planted.flatMap(({ what, secret, belongs }) => {
      const forms = everyEncoding(secret);
      return this.places
        .filter(({ name, text }) => belongs?.test(name) !== true && forms.some((form) => text.includes(form)))
        .map(({ name }) => `${what} in ${name}`);
    });
    return [...new Set(found)];
  }
}
