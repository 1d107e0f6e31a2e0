import { describe, expect, it } from '@jest/globals';
import { presets } from './presets';

const nightAt = (now: string, zone = 'UTC') => presets(Date.parse(now), zone)[1];

describe('presets', () => {
  it.each([
    ['2026-11-22T04:48:25Z', 'Tonight 22:00–06:00', '2026-11-21T22:00:00Z', '2026-11-22T06:00:00Z'],
    ['2026-11-22T23:00:00Z', 'Tonight 22:00–06:00', '2026-11-22T22:00:00Z', '2026-11-23T06:00:00Z'],
    ['2026-11-22T10:00:00Z', 'Last night 22:00–06:00', '2026-11-21T22:00:00Z', '2026-11-22T06:00:00Z'],
  ])('offers at %s the preset %s', (now, label, from, to) => {
    expect(nightAt(now)).toEqual({ label, from, to });
  });

  it('computes presets in the chosen zone', () => {
    const now = Date.parse('2026-11-22T04:48:25Z');
    expect(presets(now, 'America/New_York')).toEqual([
      { label: 'Last hour', from: '2026-11-22T03:48:25Z', to: '' },
      { label: 'Tonight 22:00–06:00', from: '2026-11-22T03:00:00Z', to: '2026-11-22T11:00:00Z' },
      { label: 'Today', from: '2026-11-21T05:00:00Z', to: '' },
      { label: 'Yesterday', from: '2026-11-20T05:00:00Z', to: '2026-11-21T05:00:00Z' },
      { label: 'Last 24 hours', from: '2026-11-21T04:48:25Z', to: '' },
      { label: 'Last 7 days', from: '2026-11-15T04:48:25Z', to: '' },
    ]);
  });
});
