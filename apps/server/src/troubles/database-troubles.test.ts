import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { databaseTroubles } from './database-troubles.ts'
import { createTroubles } from './troubles.ts'

test('a listener is notified once when the disk accepts writes again, not when the thread restarts', () => {
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
