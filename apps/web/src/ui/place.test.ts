import { expect, test } from 'vitest'
import { place } from './place.ts'

const viewport = { width: 400, height: 300 }
const size = { width: 100, height: 40 }
const anchor = (left: number, top: number) => ({ left, top, width: 60, height: 20 })

test.each([
  {
    when: 'there is room above',
    at: anchor(150, 100),
    side: 'top',
    align: 'center',
    spot: { left: 130, top: 54 },
  },
  {
    when: 'no room above: below',
    at: anchor(150, 10),
    side: 'top',
    align: 'center',
    spot: { left: 130, top: 36 },
  },
  {
    when: 'there is room below',
    at: anchor(150, 100),
    side: 'bottom',
    align: 'start',
    spot: { left: 150, top: 126 },
  },
  {
    when: 'no room below: above',
    at: anchor(150, 260),
    side: 'bottom',
    align: 'end',
    spot: { left: 110, top: 214 },
  },
  {
    when: 'the left edge is near',
    at: anchor(0, 100),
    side: 'top',
    align: 'end',
    spot: { left: 8, top: 54 },
  },
  {
    when: 'the right edge is near',
    at: anchor(380, 100),
    side: 'top',
    align: 'start',
    spot: { left: 292, top: 54 },
  },
] as const)('$when', ({ at, side, align, spot }) => {
  expect(place(at, size, viewport, { side, align })).toEqual(spot)
})

test('a box taller than the window starts at its top', () => {
  const tall = { width: 100, height: 500 }
  expect(place(anchor(0, 100), tall, viewport, { side: 'bottom', align: 'start' }).top).toBe(126)
  expect(place(anchor(0, 100), tall, viewport, { side: 'top', align: 'start' }).top).toBe(8)
})
