import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { databaseTroubles } from './database-troubles.ts'
import { createTroubles } from './troubles.ts'

test('who waits for the disk hears that there is room again, once, and nothing of a restart of the thread', () => {
  const heard: string[] = []
  const tell = databaseTroubles(createTroubles(fakeClock(), pino({ level: 'silent' })), {
    reload: () => heard.push('reload'),
    storageIsBack: () => heard.push('room'),
  })
  tell({ storage: 'failing', why: 'the disk is full' })
  expect(heard).toEqual([])
  tell({ storage: 'well' })
  expect(heard).toEqual(['room'])
  tell({ thread: 'ended', why: 'out of memory' })
  tell({ thread: 'back' })
  expect(heard).toEqual(['room', 'reload'])
})
