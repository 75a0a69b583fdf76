import { describe, expect, test } from 'vitest'
import { isDescribed } from './described-version.ts'
import { compareVersions, isNewer, isPrerelease, majorOf, plainVersion } from './version.ts'

describe('[facts/platform 16.42] versions are compared as Semantic Versioning says', () => {
  const rising = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    'v1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0-rc.1',
    '10.0.0',
  ]
  test('each is older than all that follow, in either direction', () => {
    for (const [i, a] of rising.entries()) {
      for (const [j, b] of rising.entries()) {
        expect(Math.sign(compareVersions(a, b)), `${a} ${b}`).toBe(Math.sign(i - j))
        expect(isNewer(a, b), `${a} ${b}`).toBe(i > j)
      }
    }
  })

  test.each([
    ['v1.2.3', '1.2.3'],
    ['1.2.3+build.5', '1.2.3'],
  ])('%s is %s', (a, b) => expect(compareVersions(a, b)).toBe(0))

  test('a leading v and build metadata do not count', () => {
    expect(['v1.2.3', '1.2.3-rc.1+9'].map(plainVersion)).toEqual(['1.2.3', '1.2.3-rc.1'])
  })

  test.each([
    '',
    '1.2',
    'latest',
    '1.2.3.4',
    '1.2.x',
    '1.2.3 ',
    '\n1.2.3',
    '../1.2.3',
    '1.2.3-',
    'dev',
    '1.0.0.0',
    '9'.repeat(50),
  ])('%j is none, neither is newer nor has newer ones', (text) => {
    expect(plainVersion(text)).toBeUndefined()
    expect(() => compareVersions('1.0.0', text)).toThrow('is not a version')
    expect([isNewer(text, '1.0.0'), isNewer('9.0.0', text)]).toEqual([false, false])
  })
})

test('development versions are recognised', () => {
  expect(['1.0.0-rc.1', '1.0.0'].map(isPrerelease)).toEqual([true, false])
  expect(
    ['1.0.0-4-gdeadbee', '1.0.0-dirty', '1.0.0-4-gdeadbee-dirty', '1.0.0-rc.1'].map(isDescribed),
  ).toEqual([true, true, true, false])
  expect(['v12.0.1', 'dev'].map(majorOf)).toEqual([12, undefined])
})
