import { alertDefaults } from '@pulse/contract'
import { aGuest, aMailGateway } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { triggersOf } from './triggers.ts'

const config = { ...alertDefaults, enabled: true }
const live = aLive({ guests: { g: aGuest() }, pmg: { mail: aMailGateway() } }).store

test('[M 3.1] the queue of a mail gateway has its two limits', () => {
  expect(triggersOf(config, live, 'pmg', 'mail')).toMatchObject({
    queued: [
      { word: 'Warning', value: 500 },
      { word: 'Critical', value: 1_000 },
    ],
    // minutes
    oldestMail: [
      { word: 'Warning', value: 30 },
      { word: 'Critical', value: 60 },
    ],
  })
})

test('a limit of 0 is none, and neither are those of a gateway without alerts', () => {
  const pmgDefaults = { ...config.pmgDefaults, queueTotalWarning: 0 }
  expect(triggersOf({ ...config, pmgDefaults }, live, 'pmg', 'mail')).toMatchObject({
    queued: [{ word: 'Critical', value: 1_000 }],
  })
  expect(
    triggersOf({ ...config, overrides: { 'pmg:mail': { disabled: true } } }, live, 'pmg', 'mail'),
  ).toEqual({})
  expect(triggersOf({ ...config, disableAllPMG: true }, live, 'pmg', 'mail')).toEqual({})
})

test('a threshold of a guest is one line, and one that is gone has none', () => {
  expect(triggersOf(config, live, 'guests', 'g')).toMatchObject({ cpu: [{ word: 'Alert', value: 80 }] })
  expect(triggersOf(config, live, 'guests', 'gone')).toEqual({})
})

test('[M 3.1] a file system has the disk threshold of its guest', () => {
  const { disk } = triggersOf(config, live, 'guests', 'g')
  expect(disk).toEqual([{ word: 'Alert', value: 90 }])
  expect(triggersOf(config, live, 'fileSystems', 'g:srv')).toEqual({ usage: disk })
  expect(triggersOf(config, live, 'fileSystems', 'gone:srv')).toEqual({})
})
