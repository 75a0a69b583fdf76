import { expect, test } from 'vitest'
import { changedRows, framesOf, leaderCalls, siteIn, siteSubjects } from './subjects.ts'

test.each([
  ['frames', framesOf('Berlin', 's'), 'Berlin'],
  ['questions', siteSubjects('Berlin').asks, 'Berlin'],
  ['frames of the process that leads', framesOf(undefined, 's'), ''],
  ['calls', leaderCalls, ''],
  ['answers to calls', `${leaderCalls}.answers.x`, ''],
  ['rows', changedRows, ''],
])('the subject of %s names its site, if it has one', (_, subject, site) =>
  expect(siteIn(subject)).toBe(site),
)
