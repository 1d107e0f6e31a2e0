import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('the example in docs/typed-client.md', () => {
  it('is the one that is compiled and run here', async () => {
    const [, example] = /```ts\n(.*?)```/s.exec(await read('docs/typed-client.md')) ?? [];
    expect(example).toBe(await read('test/docs/typed-client.example.ts'));
  });

  it('does what it says', async () => {
    const to = { baseUrl: system.api.baseUrl, apiKey: system.adminKey };
    const { data } = achExample();
    expect(await announce(data, to)).toMatchObject({ duplicate: false, deliveries: [] });
    expect(await announce(data, to)).toMatchObject({ duplicate: true });
    data.achEventInfo.amount = 'much';
    await expect(announce(data, to)).rejects.toThrow(/data\.achEventInfo\.amount must be/);
  });
});
