// @vitest-environment happy-dom
import { getHistoryChanges, type HistoryChange } from '@pulse/contract'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { formatMoment } from '../../lib/format.ts'
import { renderInApp } from '../fake-app.tsx'
import { ChangesFold } from './changes-fold.tsx'

afterEach(cleanup)

const now = Date.now()
const change = (minutesAgo: number): HistoryChange => ({
  at: now - minutesAgo * 60_000,
  kind: 'storage',
  id: 'main:pve1:local',
  name: 'local',
  what: 'status',
  from: 'available',
  to: 'inactive',
})

async function show(reply: unknown) {
  const asked: Record<string, unknown>[] = []
  await renderInApp(<ChangesFold kind="storage" id="main:pve1:local" name="local" />, {
    replies: {
      [getHistoryChanges.path]: ({ query }: { query: Record<string, unknown> }) => {
        asked.push(query)
        return reply
      },
    },
  })
  const open = async () => {
    const details = screen.getByText('Changes').closest('details')!
    details.open = true
    await act(async () => void fireEvent(details, new Event('toggle')))
    return screen.findByRole('group', { name: 'Changes of local' }, { timeout: within(20_000) })
  }
  return { asked, open }
}

test('[M 3.5] the newest changes of a thing are loaded when its fold opens; all of them are one click away', async () => {
  const { asked, open } = await show({ changes: [1, 2, 3].map(change), cursor: '7' })
  expect(asked).toEqual([])
  const group = await open()
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ kind: 'storage', id: 'main:pve1:local', limit: 3 })
  expect(group.textContent.match(/Not available: inactive/g)).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe(
    '/proxmox/changes?range=month&kind=storage&search=local',
  )
})

test('[M 3.5] without any it says since when', async () => {
  const oldest = now - 14 * 86_400_000
  const { open } = await show({ changes: [], oldest })
  expect((await open()).textContent).toBe(
    `No changes since ${formatMoment(oldest)}, when the log of changes begins.`,
  )
  cleanup()
  const older = await show({ changes: [], oldest: now - 60 * 86_400_000 })
  expect((await older.open()).textContent).toBe('No changes in the last 30 days.')
})
