import { expect, test } from 'vitest'
import { freeBlocks, nodeAddress } from './loopback.ts'
import { startSensorsHost } from './sensors/host.ts'

test.each([
  { base: '127.40', index: 0, expected: '127.40.0.11' },
  { base: '127.40', index: 239, expected: '127.40.0.250' },
  { base: '127.40', index: 240, expected: '127.40.1.11' },
  { base: '127.40.3', index: 1, expected: '127.40.3.12' },
])('node $index of $base is at $expected', ({ base, index, expected }) => {
  expect(nodeAddress(base, index)).toBe(expected)
})

test.each([
  { base: '10.40', index: 0 },
  { base: '127.40.255', index: 240 },
])('an address outside of loopback is refused: $base $index', ({ base, index }) => {
  expect(() => nodeAddress(base, index)).toThrow('is not a loopback address')
})

test('the SSH service of a host listens on loopback addresses only', async () => {
  await expect(startSensorsHost('0.0.0.0')).rejects.toThrow('is not a loopback address')
  await expect(startSensorsHost('10.0.0.1')).rejects.toThrow('is not a loopback address')
})

test('every block is tried once', () => {
  const blocks = [...freeBlocks()]
  expect(new Set(blocks).size).toBe(blocks.length)
  expect(blocks.every((block) => nodeAddress(block, 0).startsWith('127.'))).toBe(true)
})
