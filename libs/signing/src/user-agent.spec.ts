import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { USER_AGENT, VERSION } from './user-agent.js';

it('USER_AGENT has the version of package.json', () => {
  const { name, version }: { name: string; version: string } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  expect(VERSION).toBe(version);
  expect(USER_AGENT).toBe(`${name}/${version}`);
});
