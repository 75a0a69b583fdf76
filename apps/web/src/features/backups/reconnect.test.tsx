// @vitest-environment happy-dom
import { aPbsBackup } from '@pulse/testkit'
import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { within as limit } from '../../../../../scripts/test-limits.ts'
import { recordsPerStep } from './backup-index.ts'
import { ago, atOneMoment, cells, given, rows } from './fake-page.tsx'

atOneMoment()

const GiB = 1024 ** 3
const many = (size: number) =>
  Object.fromEntries(
    Array.from({ length: recordsPerStep + 200 }, (_, at) => [
      `p${at}`,
      aPbsBackup({ datastore: `d${at}`, vmid: String(at), backupTime: ago(at), size }),
    ]),
  )
const put = (records: ReturnType<typeof many>) => ({
  pbsBackups: { put: new Map(Object.entries(records)), remove: new Set<string>() },
})

test('after a reconnect the old list stays until the new one is described, and then the new one is shown', async () => {
  const { live } = await given({ pbsBackups: many(GiB) })
  await vi.waitFor(async () => {
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect(rows()).toContain('p0')
  }, limit(20_000))
  const size = () => cells('p0').find((text) => text.includes('GB'))
  expect(size()).toBe('1 GB')

  const { p1: _gone, ...renewed } = many(2 * GiB)
  act(() => live.store.apply(put(renewed), ['pbsBackups']))
  expect([size(), rows().includes('p1')]).toEqual(['1 GB', true])

  await vi.waitFor(async () => {
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect([size(), rows().includes('p1')]).toEqual(['2 GB', false])
  }, limit(20_000))
})
