import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { scale } from '../auth/given.ts'
import { exportCost, open, seal } from './envelope.ts'
import { cheap, passphrase } from './given.ts'

const secret = 'the whole configuration'
const flipped = (bytes: Buffer, bit: number) => {
  const copy = Buffer.from(bytes)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}
const refusal = (bytes: Buffer, words = passphrase) =>
  open(bytes, words).then(
    () => 'opened',
    (error: { code?: string }) => error.code,
  )

describe('[S17] the envelope of an export', () => {
  test('opens with its passphrase in any Unicode form, and with no other', async () => {
    const bytes = await seal(secret, 'Zoë Zoë Zoë Zoë', cheap)
    expect(await open(bytes, 'Zoë Zoë Zoë Zoë'.normalize('NFD'))).toBe(secret)
    for (const other of ['', 'Zoë Zoë Zoë Zo', 'zoë zoë zoë zoë', 'Zoë Zoë Zoë Zoë '])
      expect(await refusal(bytes, other)).toBe('wrong_passphrase')
  })

  test('costs a guesser at least 250 ms a try', async () => {
    const times: number[] = []
    for (let n = 0; n < 3; n++) {
      const before = performance.now()
      await seal(secret, passphrase)
      times.push(performance.now() - before)
    }
    const least = Math.min(...times)
    console.log(
      `one key: ${Math.round(least)} ms, ${exportCost.memory / 1024} MB, ${exportCost.passes} passes`,
    )
    expect(least).toBeGreaterThanOrEqual(250)
  })

  test('never repeats salt, nonce or ciphertext', async () => {
    const [a, b] = await Promise.all([seal(secret, passphrase, cheap), seal(secret, passphrase, cheap)])
    for (const [from, to] of [
      [15, 47],
      [47, 59],
      [59, 59 + secret.length],
    ])
      expect(a.subarray(from, to)).not.toEqual(b.subarray(from, to))
  })

  test('with one bit flipped anywhere is refused', async () => {
    const bytes = await seal(secret, passphrase, cheap)
    const bits = bytes.length * 8
    // magic, version, cost, salt, nonce, body and tag: some of each here, all of them in the long tier
    const step = scale >= 10 ? 1 : 7
    let refused = 0
    for (let bit = 0; bit < bits; bit += step) {
      expect(['wrong_passphrase', 'invalid_import'], `bit ${bit}`).toContain(
        await refusal(flipped(bytes, bit)),
      )
      refused += 1
    }
    console.log(`${refused} of ${bits} bits flipped, all refused`)
  }, 120_000)

  test('cut short or made longer is refused', async () => {
    const bytes = await seal(secret, passphrase, cheap)
    for (const length of [0, 1, 8, 9, 14, 15, 47, 59, 74, 75, 76, bytes.length - 1])
      expect(await refusal(bytes.subarray(0, length)), `${length}`).not.toBe('opened')
    expect(await refusal(Buffer.concat([bytes, Buffer.alloc(1)]))).toBe('wrong_passphrase')
  })

  test.each([
    ['too much memory', { memory: 1_048_576 }],
    ['all the memory there is', { memory: 0xffffffff }],
    ['too little memory', { memory: 64 }],
    ['no passes', { passes: 0 }],
    ['many passes', { passes: 255 }],
    ['no lanes', { parallelism: 0 }],
    ['many lanes', { parallelism: 255 }],
    ['much memory many times', { memory: 262_144, passes: 32 }],
  ])('that asks for %s is refused before any work', async (_what, cost) => {
    const bytes = await seal(secret, passphrase, cheap)
    const { memory, passes, parallelism } = { ...cheap, ...cost }
    bytes.writeUInt32BE(memory, 9)
    bytes.writeUInt8(passes, 13)
    bytes.writeUInt8(parallelism, 14)
    const before = performance.now()
    expect(await refusal(bytes)).toBe('invalid_import')
    expect(performance.now() - before).toBeLessThan(50)
  })

  test('of a later version is named as such', async () => {
    const bytes = await seal(secret, passphrase, cheap)
    bytes.writeUInt8(2, 8)
    await expect(open(bytes, passphrase)).rejects.toThrow(/another version of Pulse/)
  })
})
