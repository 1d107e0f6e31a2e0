import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv.js';

describe('csvLine', () => {
  it('quotes every text of a CSV record, as RFC 4180 defines, and no number', () => {
    expect(csvLine(['a', 'b,c', 'say "x"', 'two\nlines', '', null, 0, 1.5])).toBe(
      '"a","b,c","say ""x""","two\nlines","",,0,1.5\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠SUM'])(
    'writes %j as a text into CSV, so that no spreadsheet reads it as a formula',
    (text) => {
      expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\r\n`);
      expect(csvLine([`Acme ${text}`])).not.toContain("'");
    },
  );

  it.each([';', '\t', '\r\n'])(
    'defuses a formula behind %j in CSV: it begins a cell in some languages',
    (separator) => {
      expect(csvLine([`Acme${separator}=1;＋2; 3`])).toBe(`"Acme${separator}'=1;'＋2; 3"\r\n`);
    },
  );

  it('leaves negative numbers in CSV unchanged', () => {
    expect(csvLine([-1])).toBe('-1\r\n');
  });
});
