import { Secret } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createVault } from './seal.ts'

const vault = createVault(randomBytes(32))

test('what was sealed opens again, and never looks the same twice', () => {
  const first = vault.seal('pässword', 'connections/a')
  expect(vault.open(first, 'connections/a')).toBe('pässword')
  expect(vault.seal('pässword', 'connections/a')).not.toBe(first)
})

test('other associated data, another key or one flipped bit does not open', () => {
  const sealed = vault.seal('secret', 'connections/a')
  expect(() => vault.open(sealed, 'connections/b')).toThrow()
  expect(() => createVault(randomBytes(32)).open(sealed, 'connections/a')).toThrow()
  const bytes = Buffer.from(sealed, 'base64')
  for (let i = 0; i < bytes.length; i++) {
    const bent = Buffer.from(bytes)
    bent[i]! ^= 1
    expect(() => vault.open(bent.toString('base64'), 'connections/a')).toThrow()
  }
})

test('a key for something else is the same for all with the key, and for no others', () => {
  const key = randomBytes(32)
  const made = createVault(key).keyFor('masks')
  expect(made).toHaveLength(32)
  expect(createVault(Buffer.from(key)).keyFor('masks')).toEqual(made)
  const others = [key, createVault(key).keyFor('seals'), vault.keyFor('masks')]
  for (const other of others) expect(other.equals(made)).toBe(false)
})

test('a secret does not print itself', () => {
  const secret = new Secret('hunter2')
  const seen = [String(secret), JSON.stringify({ secret }), inspect({ secret }, { depth: 9 })]
  expect(seen.join()).not.toContain('hunter2')
  expect(secret.reveal()).toBe('hunter2')
})
