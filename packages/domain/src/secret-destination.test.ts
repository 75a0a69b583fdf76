import { describe, expect, test } from 'vitest'
import { changeOfDestination, mayKeepSecret, nodeDestination, secretRefusal } from './secret-destination.ts'

const pinA = 'ab'.repeat(32)
const pinB = 'cd'.repeat(32)
const node = (host: string, verifySSL: boolean, fingerprint?: string) =>
  nodeDestination({ host, verifySSL, fingerprint })

const here = 'https://pve1:8006'
const elsewhere = 'https://pve2:8006'

describe('[S11] a stored secret is sent only to its destination', () => {
  test.each([
    ['nothing changes', node(here, true, pinA), node(here, true, pinA), true],
    [
      'the pin is spelled in another way',
      node(here, true, pinA),
      node(here, true, 'AB:'.repeat(31) + 'AB'),
      true,
    ],
    ['another host', node(here, true, pinA), node(elsewhere, true, pinA), false],
    ['another port', node(here, true), node('https://pve1:8007', true), false],
    ['another pin', node(here, true, pinA), node(here, true, pinB), false],
    ['the pin is taken away', node(here, true, pinA), node(here, true), false],
    ['a pin stands in for the authorities', node(here, true), node(here, true, pinA), false],
    ['the check is switched off', node(here, true), node(here, false), false],
    ['the check is switched off beside a pin', node(here, true, pinA), node(here, false, pinA), false],
    ['any certificate was taken, now one pin', node(here, false), node(here, true, pinA), true],
    ['any certificate was taken, now a verified one', node(here, false), node(here, true), true],
    ['any certificate, another host', node(here, false), node(elsewhere, false), false],
    ['an issuer', { address: 'https://id.example' }, { address: 'https://id.example.evil' }, false],
    ['no issuer so far', { address: '' }, { address: 'https://id.example' }, false],
  ])('%s', (_case, from, to, kept) => {
    expect(mayKeepSecret(from, to)).toBe(kept)
    const secret = { name: 'token value', isStored: true, isGiven: false }
    expect(secretRefusal(from, to, secret) === undefined).toBe(kept)
    expect(secretRefusal(from, to, { ...secret, isGiven: true })).toBeUndefined()
    expect(secretRefusal(from, to, { ...secret, isStored: false })).toBeUndefined()
  })

  test('old and new are named, with what to do', () => {
    const text = secretRefusal(node(here, true), node(elsewhere, false), {
      name: 'password',
      isStored: true,
      isGiven: false,
    })
    expect(text).toBe(
      'Enter the password again: Pulse never sends a stored secret to a different destination. Changed: ' +
        'address from https://pve1:8006 to https://pve2:8006, certificate check from a verified certificate to none.',
    )
    expect(changeOfDestination(node(here, true), node(here, true))).toBeUndefined()
  })
})
