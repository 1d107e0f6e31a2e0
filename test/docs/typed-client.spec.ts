import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { System } from '#test/support/system';
import { announce } from './typed-client.example.js';

const PROJECT = join(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(join(PROJECT, path), 'utf8');

let system: System;
beforeAll(async () => {
  system = await System.shared(0);
});
afterAll(() => system.stop());

it('the example in docs/typed-client.md is the file that is compiled and tested', async () => {
  const [, example] = /```ts\n(.*?)```/s.exec(await read('docs/typed-client.md')) ?? [];
  expect(example).toBe(await read('test/docs/typed-client.example.ts'));
});

it('the example in docs/typed-client.md announces a status change and reports duplicates and invalid fields', async () => {
  const to = { baseUrl: system.api.baseUrl, apiKey: system.adminKey };
  // Of its own: other files post to the same system.
  const { data } = achExample({ transactionId: 'typed-client' });
  expect(await announce(data, to)).toMatchObject({ duplicate: false });
  expect(await announce(data, to)).toMatchObject({ duplicate: true });
  data.achEventInfo.amount = 'much';
  await expect(announce(data, to)).rejects.toThrow(/data\.achEventInfo\.amount must be/);
});
