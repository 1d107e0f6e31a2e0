import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { configSummary, ConfigurationError, readConfig } from './index.js';

const BASE = { DATABASE_URL: 'postgres://app@db.example/dispatcher', QUEUE_BACKEND: 'postgres' };
const folder = mkdtempSync(join(tmpdir(), 'brand-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const brandOf = (env: Record<string, string>) => readConfig('tool', { ...BASE, ...env }).brand;
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    brandOf(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const SVG = '<?xml version="1.0"?>\n<!-- a logo --><svg xmlns="http://www.w3.org/2000/svg"/>';

describe('brand', () => {
  it('is the product’s own without its variables', () =>
    expect(brandOf({})).toEqual({ name: null, color: null, logo: null }));

  it('has a name, a colour and an SVG or PNG logo, whose bytes the log does not repeat', () => {
    const env = { BRAND_NAME: 'Example Bank', BRAND_COLOR: '#0b5cad', BRAND_LOGO_FILE: file('logo', SVG) };
    expect(brandOf(env)).toEqual({
      name: 'Example Bank',
      color: '#0b5cad',
      logo: { contentType: 'image/svg+xml', bytes: Buffer.from(SVG) },
    });
    expect(brandOf({ BRAND_LOGO_FILE: file('logo.png', PNG) }).logo?.contentType).toBe('image/png');
    expect(configSummary(readConfig('tool', { ...BASE, ...env }))['brand']).toEqual({
      name: 'Example Bank',
      color: '#0b5cad',
      logo: 'image/svg+xml',
    });
  });

  it.each([
    ['blue', 'must be a colour as # and six hexadecimal digits: #0b5cad'],
    ['#777', 'must be a colour as # and six hexadecimal digits: #0b5cad'],
    [
      '#ffd43b',
      'is too bright for the white text on it: choose a colour with a contrast of 4.5:1; this one has 1.4:1',
    ],
  ])('refuses the colour %s', (color, why) =>
    expect(faultsOf({ BRAND_COLOR: color })).toEqual([`BRAND_COLOR ${why}`]),
  );

  it('accepts a colour from the contrast that white text needs', () => {
    expect(faultsOf({ BRAND_COLOR: '#767676' })).toEqual([]);
    expect(faultsOf({ BRAND_COLOR: '#777777' })).toHaveLength(1);
  });

  it.each([
    ['a page', file('page', '<html><svg></svg></html>'), 'must be an SVG or a PNG file'],
    ['a large file', file('large', Buffer.alloc(64 * 1024 + 1)), 'must have at most 64 kB'],
    [
      'no file',
      join(folder, 'none'),
      `cannot be read from ${join(folder, 'none')}: the file does not exist; mount the file there, or correct the path`,
    ],
  ])('refuses %s as a logo', (_what, path, why) =>
    expect(faultsOf({ BRAND_LOGO_FILE: path })).toEqual([`BRAND_LOGO_FILE ${why}`]),
  );
});
