import { describe, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { exportCost, open, seal } from './envelope.ts'
import { cheap, passphrase } from './fixtures.ts'

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

  test('costs a guesser 64 MB and ten passes a try, and the file says so', async () => {
    expect(exportCost).toEqual({ memory: 65_536, passes: 10, parallelism: 1 })
    const bytes = await seal(secret, passphrase)
    expect([bytes.readUInt32BE(9), bytes.readUInt8(13), bytes.readUInt8(14)]).toEqual([65_536, 10, 1])
    expect(await open(bytes, passphrase)).toBe(secret)
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
    // magic, version, cost, salt, nonce, body and tag: some bytes of each here, all of them in the long tier
    const step = scale >= 10 ? 1 : 7
    let refused = 0
    for (let bit = 0; bit < bits; bit += step) {
      expect(['wrong_passphrase', 'invalid_import'], `bit ${bit}`).toContain(
        await refusal(flipped(bytes, bit)),
      )
      refused += 1
    }
    console.log(`${refused} of ${bits} bits flipped, all refused`)
  })

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
    ['no parallelism', { parallelism: 0 }],
    ['much parallelism', { parallelism: 255 }],
    ['much memory many times', { memory: 262_144, passes: 32 }],
  ])('that asks for %s is refused before any work', async (_what, cost) => {
    const bytes = await seal(secret, passphrase, cheap)
    const { memory, passes, parallelism } = { ...cheap, ...cost }
    bytes.writeUInt32BE(memory, 9)
    bytes.writeUInt8(passes, 13)
    bytes.writeUInt8(parallelism, 14)
    const keys: unknown[] = []
    const deriving = open(bytes, passphrase, async (...asked) => {
      keys.push(asked)
      return Buffer.alloc(32)
    })
    await expect(deriving).rejects.toMatchObject({ code: 'invalid_import' })
    expect(keys).toEqual([])
  })

  test('of a later version is named as such', async () => {
    const bytes = await seal(secret, passphrase, cheap)
    bytes.writeUInt8(2, 8)
    await expect(open(bytes, passphrase)).rejects.toThrow(/another version of Pulse/)
  })
})
