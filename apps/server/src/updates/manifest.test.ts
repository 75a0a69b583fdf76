import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fileFor, maxArchiveBytes, readManifest } from './manifest.ts'

const aKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, pem: String(publicKey.export({ type: 'spki', format: 'pem' })) }
}
const key = aKey()
const file = {
  name: 'pulse-v1.1.0-linux-amd64.tar.gz',
  platform: 'linux-amd64',
  bytes: 1,
  sha256: 'a'.repeat(64),
}
const whole = { name: 'pulse', version: '1.1.0', channel: 'stable', build: 'b', files: [file] }
const signed = (list: unknown, by = key) => {
  const bytes = Buffer.from(JSON.stringify(list))
  return { bytes, signature: sign(null, bytes, by.privateKey) }
}
const refusal = (work: () => unknown) => {
  try {
    work()
    return 'none'
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('[R13] the list of a release', () => {
  test('is believed when one of the keys has signed it', () => {
    const { bytes, signature } = signed(whole)
    expect(readManifest(bytes, signature, aKey().pem + key.pem)).toEqual(whole)
  })

  test('no bit of it, nor of its signature, may be another', () => {
    const { bytes, signature } = signed(whole)
    for (const of of [bytes, signature]) {
      for (let bit = 0; bit < of.length * 8; bit += 7) {
        of[bit >> 3]! ^= 1 << (bit & 7)
        expect(
          refusal(() => readManifest(bytes, signature, key.pem)),
          String(bit),
        ).toBe('signature')
        of[bit >> 3]! ^= 1 << (bit & 7)
      }
    }
    expect(readManifest(bytes, signature, key.pem)).toEqual(whole)
  })

  test.each([
    ['another key', signed(whole, aKey()).signature],
    ['no key', Buffer.alloc(0)],
    ['no key, with a long text', Buffer.alloc(65)],
  ])('signed by %s it is refused', (_, signature) => {
    expect(refusal(() => readManifest(signed(whole).bytes, signature, key.pem))).toBe('signature')
  })

  test.each<[string, unknown]>([
    ['no list', 'pulse'],
    ['of another product', { ...whole, name: 'other' }],
    ['of what is no version', { ...whole, version: 'newest' }],
    ['of a version in another spelling', { ...whole, version: 'v1.1.0' }],
    ['with a way in a name', { ...whole, files: [{ ...file, name: '../pulse' }] }],
    ['with a file beyond all bounds', { ...whole, files: [{ ...file, bytes: maxArchiveBytes + 1 }] }],
    ['with half a sum', { ...whole, files: [{ ...file, sha256: 'a'.repeat(32) }] }],
  ])('%s it is refused, whatever key signed it', (_, list) => {
    const { bytes, signature } = signed(list)
    expect(refusal(() => readManifest(bytes, signature, key.pem))).toBe('signature')
  })

  test.each([
    ['1.0.0', 'none'],
    ['1.1.0-rc.9', 'none'],
    ['1.1.0', 'downgrade'],
    ['1.1.1-rc.1', 'downgrade'],
    ['2.0.0', 'downgrade'],
  ])('where %s runs: %s', (running, code) => {
    const { bytes, signature } = signed(whole)
    const manifest = readManifest(bytes, signature, key.pem)
    expect(refusal(() => fileFor(manifest, 'linux-amd64', running))).toBe(code)
    expect(refusal(() => fileFor(manifest, 'linux-arm64', running))).toBe(code === 'none' ? 'platform' : code)
  })
})
