import { expect, test } from 'vitest'
import { aGuest, aPbsBackup, aSnapshot, aStorageBackup } from '@pulse/testkit'
import { aLive } from '../../live/fake-live.ts'
import { createBackupIndex } from './backup-index.ts'
import { detailsText, locationText, nameText, ownerText } from '../../parts/backups/texts.ts'

const live = (records: Parameters<typeof aLive>[0]) =>
  [...createBackupIndex()(aLive(records).store).records.values()][0]!

test('[spec 1 §2] a name that is empty is Unnamed, of a host -', () => {
  expect(nameText({ name: '', type: 'VM' })).toBe('Unnamed')
  expect(nameText({ name: '', type: 'Host' })).toBe('-')
  expect(nameText({ name: 'web', type: 'LXC' })).toBe('web')
})

test('[spec 1 §2] the owner is what stands before the @', () => {
  expect(ownerText('pulse@pbs!token')).toBe('pulse')
  expect(ownerText('root')).toBe('root')
})

test.each([
  ['', 'main'],
  ['root', 'main'],
  ['prod/eu', 'main/prod/eu'],
])('[spec 1 §2] namespace %j: %s', (namespace, expected) => {
  expect(locationText(live({ pbsBackups: { p: aPbsBackup({ namespace }) } }))).toBe(expected)
})

test('a snapshot lies nowhere else, a file on its storage', () => {
  expect(locationText(live({ pveBackups: { s: aSnapshot() } }))).toBeUndefined()
  expect(locationText(live({ pveBackups: { f: aStorageBackup() } }))).toBe('nas')
})

const words36 = 'a description of thirty-six letters!'

test('[spec 1 §2] a description is cut to 35 characters, 32 and an ellipsis', () => {
  expect(words36).toHaveLength(36)
  const cut = detailsText(live({ pbsBackups: { p: aPbsBackup({ comment: words36 }) } }))
  expect([cut, cut.length]).toEqual(['a description of thirty-six lett...', 35])
  const whole = words36.slice(0, 35)
  expect(detailsText(live({ pbsBackups: { p: aPbsBackup({ comment: whole }) } }))).toBe(whole)
})

test('[spec 1 §2] the name of a file is cut to 30 characters', () => {
  const text = detailsText(live({ pveBackups: { f: aStorageBackup({ vmid: 100 }) } }))
  expect([text, text.length]).toEqual(['vzdump-qemu-100-2025_12_31....', 30])
})

test('a snapshot says its name, that it has the memory, and what it is for', () => {
  const guests = { 'main:100': aGuest() }
  expect(
    detailsText(live({ guests, pveBackups: { s: aSnapshot({ vmstate: true, description: 'x' }) } })),
  ).toBe('before-update with RAM · x')
})
