import { describe, expect, test } from 'vitest'
import { seal } from './envelope.ts'
import { bytesOf, toFile, unseal } from './file.ts'
import { aLegacyFile, cheap, passphrase } from './fixtures.ts'

describe('an export file', () => {
  test('is taken as it was downloaded, as base64 alone, and with line breaks', async () => {
    const bytes = await seal('content', passphrase, cheap)
    const base64 = bytes.toString('base64')
    const lines = base64.replaceAll(/.{76}/g, '$&\r\n')
    for (const text of [
      base64,
      `\n${base64}\n`,
      lines,
      JSON.stringify(toFile(bytes)),
      JSON.stringify(toFile(bytes), null, 2),
    ])
      expect(bytesOf(text)).toEqual(bytes)
  })

  test.each([
    ['nothing', ''],
    ['a word', 'hello!'],
    ['JSON without the data', '{"status":"success"}'],
    ['JSON with something else', '{"status":"success","data":"AAAA","more":1}'],
    ['another JSON', '{"status":"error","data":"AAAA"}'],
    ['a JSON that breaks off', '{"status":"success","data":"AAAA'],
    ['data that is no text', '{"status":"success","data":{"$ne":""}}'],
    ['half a base64', 'AAA'],
    ['stray bits at the end', 'AAB='],
    ['the URL alphabet', 'AA-_'],
    ['padding inside', 'AA==AAAA'],
    ['more than an export can have', 'A'.repeat(10_002_000)],
  ])('that is %s is refused', (_what, text) => {
    expect(() => bytesOf(text)).toThrow(/not an export of Pulse/)
  })

  test('of Pulse 4.x opens with its own envelope', async () => {
    const bytes = bytesOf(aLegacyFile({ version: '4.1' }))
    expect(await unseal(bytes, passphrase)).toEqual({ text: '{"version":"4.1"}', older: true })
    await expect(unseal(bytes, 'another passphrase')).rejects.toMatchObject({ code: 'wrong_passphrase' })
    await expect(unseal(bytes.subarray(0, 61), passphrase)).rejects.toMatchObject({ code: 'invalid_import' })
    for (const at of [0, 31, 32, 43, 44, bytes.length - 17, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      await expect(unseal(changed, passphrase)).rejects.toMatchObject({ code: 'wrong_passphrase' })
    }
  })
})
