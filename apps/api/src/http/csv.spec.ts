import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv.js';

describe('csvLine', () => {
  it('quotes what holds a comma, a quotation mark or a line end, as RFC 4180 has it', () => {
    expect(csvLine(['a', 'b,c', 'say "x"', 'two\nlines', '', null, 0, 1.5])).toBe(
      'a,"b,c","say ""x""","two\nlines",,,0,1.5\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'hands %j to no spreadsheet as a formula',
    (text) => {
      expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\r\n`);
      expect(csvLine([`Acme ${text}`])).not.toContain("'");
    },
  );

  it('leaves negative numbers unchanged', () => {
    expect(csvLine([-1])).toBe('-1\r\n');
  });
});
