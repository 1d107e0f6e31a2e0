import { everyEncoding } from '#test/support/every-encoding';
import { runSql } from '#test/support/run-sql';

/** A place where a secret may leak: a table, a log, an answer. */
interface Place {
  readonly name: string;
  readonly text: string;
}

/** A secret that may appear only in places whose names match `belongs`. */
interface Planted {
  readonly what: string;
  readonly secret: string | Buffer;
  readonly belongs: RegExp | undefined;
}

export interface Asking {
  key?: string;
  /** The raw body; `application/json` unless `headers` has another type. */
  body?: string;
  headers?: Record<string, string>;
}

/** Collects everything that a system has stored or sent, to search it for secrets. */
export class Dump {
  private readonly places: Place[] = [];
  private readonly planted: Planted[] = [];

  constructor(private readonly baseUrl: string) {}

  /** Registers a secret; `belongs` matches the names of the places that may contain it. */
  plant(what: string, secret: string | Buffer, belongs?: RegExp): void {
    this.planted.push({ what, secret, belongs });
  }

  keep(name: string, text: string): void {
    this.places.push({ name, text });
  }

  /** Sends a request and keeps its answer, except for cookies: they belong to the browser. */
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

  /** Keeps every row of every table in every schema. */
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

  /** The names of the places that contain a text. */
  holding(text: string): string[] {
    return this.places.filter((place) => place.text.includes(text)).map(({ name }) => name);
  }

  /** All leaks, in any encoding: `a password in table attempts`. */
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
