// @vitest-environment happy-dom
import type { UpdateInfo } from '@pulse/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeStored } from '../../lib/storage.ts'
import { aBuild } from './fake-build.ts'
import {
  cachedInfo,
  dismissVersion,
  clearCheck,
  isChecked,
  isFresh,
  readUpdates,
  storeCheck,
  updatesKey,
} from './known-update.ts'

const release = aBuild()
const info: UpdateInfo = {
  available: true,
  currentVersion: '5.1.0',
  latestVersion: '5.2.0',
  releaseNotes: '',
  releaseDate: '',
  downloadUrl: '',
  isPrerelease: false,
  channel: 'stable',
}
const hour = 3_600_000
const at = Date.parse('2026-11-23T01:00:00Z')

beforeEach(() => localStorage.clear())

describe('[spec 2 §4] no check occurs on', () => {
  test.each([
    { build: 'Docker', of: { isDocker: true }, checked: false },
    { build: 'development builds', of: { isDevelopment: true }, checked: false },
    { build: 'source builds', of: { isSourceBuild: true }, checked: false },
    { build: 'dirty versions', of: { version: '5.1.0-dirty' }, checked: false },
    { build: 'git-described versions', of: { version: '5.1.0-12-gab12cd3' }, checked: false },
    { build: 'nothing else: releases', of: {}, checked: true },
    { build: 'nothing else: release candidates', of: { version: '5.2.0-rc.1' }, checked: true },
  ])('$build', ({ of, checked }) => {
    expect(isChecked({ ...release, ...of })).toBe(checked)
  })
})

describe('[spec 2 §4] the found update', () => {
  test('is stored under pulse-updates with the dismissed version', () => {
    dismissVersion('5.1.9')
    storeCheck(info, at)
    expect(updatesKey).toBe('pulse-updates')
    expect(JSON.parse(localStorage.getItem('pulse-updates')!)).toEqual({
      dismissedVersion: '5.1.9',
      lastCheck: at,
      info,
    })
    clearCheck()
    expect(readUpdates()).toEqual({ dismissedVersion: '5.1.9' })
  })

  test.each([
    { after: 24 * hour - 1, isThere: true },
    { after: 24 * hour, isThere: false },
  ])('is valid for 24 hours: $isThere after $after ms', ({ after, isThere }) => {
    const stored = { lastCheck: at, info }
    expect(cachedInfo(stored, release, at + after)).toEqual(isThere ? info : undefined)
    expect(isFresh(stored, release, at + after)).toBe(isThere)
  })

  test('is dropped if the current version changed', () => {
    expect(cachedInfo({ lastCheck: at, info }, { version: '5.2.0' }, at)).toBeUndefined()
  })

  test('is checked again when the server has another version, or the clock was set back', () => {
    const stored = { lastCheck: at, info }
    const knows = (latestVersion: string) => ({ ...release, updateAvailable: true, latestVersion })
    expect(isFresh(stored, knows('5.2.0'), at)).toBe(true)
    expect(isFresh(stored, knows('5.3.0'), at)).toBe(false)
    expect(isFresh(stored, release, at - 1)).toBe(false)
  })

  test.each([
    '',
    'rubbish',
    'null',
    '[]',
    '7',
    '{"lastCheck":"x","info":{"available":1},"dismissedVersion":5}',
  ])('is nothing when the storage holds %j', (text) => {
    writeStored(updatesKey, text)
    expect(readUpdates()).toEqual({})
  })
})
