import { describe, expect, it } from '@jest/globals';
import { contactHref } from './contact-href';

describe('contactHref', () => {
  it.each([
    ['+1 212 555 0100', 'tel:+12125550100'],
    ['Night desk, +44 (0)20 7946-0958', 'tel:+442079460958'],
    ['(212) 555-0100 ext. 7', 'tel:2125550100'],
    ['erp@ironbridge.example', 'mailto:erp@ironbridge.example'],
    ['Ops <ops24@acme.example>', 'mailto:ops24@acme.example'],
    ['1234567@acme.example', 'mailto:1234567@acme.example'],
    ['ops@acme.example or 020 7946 0958', 'tel:02079460958'],
    ['room 12, floor 3', null],
    ['the night shift', null],
    ['', null],
  ])('turns the contact “%s” into the link %s', (contact, href) => {
    expect(contactHref(contact)).toBe(href);
  });
});
