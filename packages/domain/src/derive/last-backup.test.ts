import { describe, expect, test } from 'vitest'
import { aGuest, atMinute, given, listed, onServer } from './fixtures.ts'

describe('a backup on a storage of the cluster', () => {
  test('the newest counts, and when it is pruned the one before', () => {
    const { say, lastBackups } = given({
      main: {
        guests: [aGuest('main', 100), aGuest('main', 101)],
        pveBackups: [listed('main', 100, 1), listed('main', 100, 3), listed('main', 100, 2)],
      },
    })
    expect(lastBackups()).toEqual({ 'main-pve1-100': atMinute(3) })
    say('main', { pveBackups: [listed('main', 100, 1)] })
    expect(lastBackups()).toEqual({ 'main-pve1-100': atMinute(1) })
    say('main', { pveBackups: [] })
    expect(lastBackups()).toEqual({})
  })

  test.each([
    ['of another cluster', listed('edge', 100, 1, { source: 'edge' })],
    ['of a container that had the number', listed('main', 100, 1, { type: 'lxc' })],
    ['of a host', listed('main', 100, 1, { type: 'host' })],
  ])('%s it is not of this guest', (_what, backup) => {
    const { lastBackups } = given({ main: { guests: [aGuest('main', 100)], pveBackups: [backup] } })
    expect(lastBackups()).toEqual({})
  })

  test('tasks and snapshots are no backups', () => {
    const { lastBackups } = given({
      main: {
        guests: [aGuest('main', 100)],
        pveBackups: [{ ...listed('main', 100, 1), list: 'guestSnapshots' } as never],
      },
    })
    expect(lastBackups()).toEqual({})
  })
})

describe('a backup on a backup server', () => {
  test('joins a guest of another source, whichever of them is heard first', () => {
    const before = given({ 'pbs-1': { pbsBackups: [onServer(100, 4)] } })
    before.say('main', { guests: [aGuest('main', 100)] })
    expect(before.lastBackups()).toEqual({ 'main-pve1-100': atMinute(4) })
    before.estate.forget('pbs-1')
    expect(before.lastBackups()).toEqual({})
  })

  const both = { main: { guests: [aGuest('main', 100)] }, edge: { guests: [aGuest('edge', 100)] } }

  test('[facts/collection 6.5] of a number that two clusters use it belongs to no guest, unless its owner is known', () => {
    const { lastBackups } = given({ ...both, 'pbs-1': { pbsBackups: [onServer(100, 4)] } })
    expect(lastBackups()).toEqual({})
  })

  test.each([
    ['the namespace ends with the cluster’s name', { namespace: 'dc/Edge' }, 'edge-pve1-100'],
    ['the comment is the guest’s name', { comment: 'main 100' }, 'main-pve1-100'],
  ])('[facts/collection 6.5] %s', (_what, more, id) => {
    const { lastBackups } = given({ ...both, 'pbs-1': { pbsBackups: [onServer(100, 4, more)] } })
    expect(lastBackups()).toEqual({ [id]: atMinute(4) })
  })

  test('[facts/collection 6.5] a namespace that only contains the name says nothing', () => {
    const { lastBackups } = given({
      ...both,
      'pbs-1': { pbsBackups: [onServer(100, 4, { namespace: 'knowledge' })] },
    })
    expect(lastBackups()).toEqual({})
  })

  test('[facts/collection 6.5] the cluster whose storage lists it comes before all else', () => {
    const { say, lastBackups } = given({
      ...both,
      'pbs-1': { pbsBackups: [onServer(100, 4, { namespace: 'edge' })] },
    })
    say('main', { pveBackups: [listed('main', 100, 4, { isPBS: true })] })
    expect(lastBackups()).toEqual({ 'main-pve1-100': atMinute(4) })
  })

  test('a guest that is renamed or moved keeps it', () => {
    const { say, lastBackups } = given({ ...both, 'pbs-1': { pbsBackups: [onServer(100, 4)] } })
    say('edge', { guests: [] })
    expect(lastBackups()).toEqual({ 'main-pve1-100': atMinute(4) })
    say('main', { guests: [aGuest('main', 100, { name: 'other', node: 'pve2', cpu: 0.5 })] })
    expect(lastBackups()).toEqual({ 'main-pve1-100': atMinute(4) })
  })
})
