import type { Backup } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { backupFields } from './backup-fields.ts'
import { deadTerms } from './dead-terms.ts'
import { compileSearch } from './search.ts'

const GB = 1024 ** 3

const aBackup = (change: Partial<Backup> = {}): Backup => ({
  backupType: 'remote',
  vmid: 101,
  name: 'web',
  type: 'VM',
  node: 'vault',
  instance: 'vault',
  backupTime: 0,
  backupName: 'vm/101/2026-01-01T00:00:00Z',
  description: 'before the update',
  status: 'verified',
  size: 12 * GB,
  datastore: 'main',
  namespace: 'prod/eu',
  protected: false,
  owner: 'backup@pbs!token',
  ...change,
})

const finds = (search: string, change?: Partial<Backup>) =>
  compileSearch(search, backupFields)(aBackup(change))

describe('[spec 1 §5] backups search', () => {
  test.each(['', '101', 'WEB', 'vault', 'vm/101', 'the update', 'main', 'prod/eu', 'nothing, web'])(
    'plain: %j is found in vmid, name, node, backup name, description, datastore or namespace',
    (search) => expect(finds(search)).toBe(true),
  )

  test('a storage is looked in as well, an owner is not', () => {
    expect(finds('nas', { backupType: 'local', storage: 'nas-2' })).toBe(true)
    expect(finds('token')).toBe(false)
  })

  test.each([
    ['node:vault', true],
    ['node:vault, name:db', false],
    ['owner:token', true],
    ['size>10', true],
    ['size>10, size<12', false],
    ['name:db OR size>10', true],
    ['namespace:prod', true],
    ['type:lxc', false],
    ['status:unverified', false],
  ])('structured: %s is %s', (search, expected) => expect(finds(search)).toBe(expected))

  test.each([
    ['pbs:vault:main:prod/eu', true],
    ['PBS:Vault:Main:Prod/EU', true],
    ['pbs:vault:main:prod', false],
    ['pbs:vault:main:', false],
    ['pbs:vault:main', true],
    ['pbs:vault', true],
    ['pbs:vaul:main:prod/eu', false],
    ['pbs:vault:other:prod/eu', false],
    ['pbs:vault:main:prod/eu, db', false],
  ])('[spec 1 §5] %s filters exactly: %s', (search, expected) => expect(finds(search)).toBe(expected))

  test.each(['pbs:vault:main:', 'pbs:vault:main:root'])('%s is the root', (search) => {
    expect(finds(search, { namespace: '' })).toBe(true)
    expect(finds(search, { backupType: 'local', namespace: '' })).toBe(false)
  })

  test('the root is found by its word', () => expect(finds('namespace:root', { namespace: '' })).toBe(true))

  test('a term that can match nothing is reported', () => {
    expect(deadTerms('pbs:vault:main:, cpu>3, size:big', backupFields).map(({ term }) => term)).toEqual([
      'cpu>3',
      'size:big',
    ])
  })
})
