// @vitest-environment happy-dom
import { preferences } from '@pulse/contract'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  addToHistory,
  markPlatformSeen,
  readPreference,
  removeFromHistory,
  usePlatformsSeen,
  usePreference,
  useSearchHistory,
  writePreference,
} from './storage.ts'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('preferences', () => {
  test('[spec 1 §3] the stored names and defaults', () => {
    const defaults = Object.fromEntries(
      Object.entries(preferences).map(([key, { initial }]) => [key, initial]),
    )
    expect(defaults).toMatchObject({
      darkMode: undefined,
      dashboardViewMode: 'all',
      dashboardStatusMode: 'all',
      dashboardGroupingMode: 'grouped',
      dashboardShowFilters: 'false',
      storageViewMode: 'node',
      storageSortKey: 'name',
      storageSortDirection: 'asc',
      backupsSortKey: 'backupTime',
      backupsSortDirection: 'desc',
    })
  })

  test.each(['nonsense', '', 'VM', '{"a":1}', 'constructor'])(
    '[spec 1 §3] %j is not a known value: the default counts',
    (stored) => {
      localStorage.setItem('dashboardViewMode', stored)
      expect(readPreference('dashboardViewMode')).toBe('all')
    },
  )

  test('a value is stored under its name and read back by every user of it', () => {
    const one = renderHook(() => usePreference('dashboardGroupingMode'))
    const other = renderHook(() => usePreference('dashboardGroupingMode'))
    act(() => one.result.current[1]('flat'))
    expect(localStorage.getItem('dashboardGroupingMode')).toBe('flat')
    expect([one.result.current[0], other.result.current[0]]).toEqual(['flat', 'flat'])
  })

  test('follows changes of another tab', () => {
    const { result } = renderHook(() => usePreference('sortDirection'))
    localStorage.setItem('sortDirection', 'desc')
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'sortDirection' })))
    expect(result.current[0]).toBe('desc')
  })

  test('a storage that refuses keeps the value until the page closes', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const { result } = renderHook(() => usePreference('storageViewMode'))
    act(() => result.current[1]('storage'))
    expect(result.current[0]).toBe('storage')
    vi.restoreAllMocks()
    act(() => writePreference('storageViewMode', 'node'))
    expect(result.current[0]).toBe('node')
  })

  test('unreadable browser storage gives the defaults', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('no', 'SecurityError')
    })
    expect(readPreference('sortKey')).toBe('vmid')
  })
})

describe('[spec 1 §4] search history', () => {
  test('newest first, unique whatever the case, blanks ignored', () => {
    let history = addToHistory([], 'node:a')
    history = addToHistory(history, ' web ')
    history = addToHistory(history, 'NODE:A')
    expect(addToHistory(history, '   ')).toBe(history)
    expect(history).toEqual(['NODE:A', 'web'])
  })

  test('at most ten', () => {
    const history = Array.from({ length: 12 }, (_, n) => `term ${n}`).reduce<readonly string[]>(
      addToHistory,
      [],
    )
    expect(history).toHaveLength(10)
    expect(history[0]).toBe('term 11')
  })

  test('one term or all can be removed', () => {
    expect(removeFromHistory(['a', 'B'], 'b')).toEqual(['a'])
    const { result } = renderHook(() => useSearchHistory('dashboard'))
    act(() => {
      result.current.add('one')
      result.current.add('two')
    })
    expect(result.current.history).toEqual(['two', 'one'])
    act(() => result.current.remove('ONE'))
    expect(result.current.history).toEqual(['two'])
    act(() => result.current.clear())
    expect([result.current.history, localStorage.length]).toEqual([[], 0])
  })

  test('each page has its own history, and invalid storage is an empty one', () => {
    localStorage.setItem('dockerSearchHistory', '{"not":"a list"}')
    localStorage.setItem('backupsSearchHistory', '[[[')
    const docker = renderHook(() => useSearchHistory('docker'))
    const backups = renderHook(() => useSearchHistory('backups'))
    act(() => docker.result.current.add('x'))
    expect(docker.result.current.history).toEqual(['x'])
    expect(backups.result.current.history).toEqual([])
  })
})

describe('[spec 1 §4] platforms seen', () => {
  test('a mark persists beside the others', () => {
    const { result } = renderHook(() => usePlatformsSeen())
    expect(result.current).toEqual({})
    act(() => {
      markPlatformSeen('docker')
      markPlatformSeen('proxmox')
      markPlatformSeen('docker')
    })
    expect(result.current).toEqual({ docker: true, proxmox: true })
    expect(JSON.parse(localStorage.getItem('platformsSeen')!)).toEqual({ docker: true, proxmox: true })
  })
})
