import { expect, test } from 'vitest'
import { isNewer } from './newer.ts'

const inOrder = [
  '0.9.9',
  '1.0.0-rc.1',
  '1.0.0-rc.2',
  '1.0.0-rc.10',
  '1.0.0-rc.x',
  '1.0.0',
  'v1.0.1',
  '1.10.0',
  '2.0.0',
]

test('what comes later is newer, and nothing else', () => {
  for (const [a, own] of inOrder.entries()) {
    for (const [b, offered] of inOrder.entries()) {
      expect(isNewer(offered, own), `${offered} after ${own}`).toBe(b > a)
    }
  }
})

test.each(['dev', '', '1.0', '1.0.0.0', 'v4.25.0-dirty+7', '9'.repeat(50)])(
  '%j neither is newer nor has newer ones',
  (odd) => {
    expect(isNewer(odd, '1.0.0')).toBe(false)
    expect(isNewer('9.0.0', odd)).toBe(false)
  },
)
