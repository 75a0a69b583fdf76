// @vitest-environment happy-dom
import { type AlertHistoryEntry, getAlertHistory, getHistorySeries, kinds } from '@pulse/contract'
import { aGuest, aGuestDisk, anAlert } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { aLive } from '../../live/fake-live.ts'
import { stubCanvas } from '../chart/fake-canvas.ts'
import { renderInApp } from '../fake-app.tsx'
import { aPoint } from '../history/fixtures.ts'
import { GuestPanels } from './guest-panels.tsx'
import { viewGuest } from './guest-view.ts'

stubCanvas()
afterEach(cleanup)

test('[M 3.1] the charts of a file system have the alerts about it, and no other ones of its guest', async () => {
  const guest = aGuest({
    source: 'main',
    vmid: 100,
    name: 'web',
    disks: ['/', '/srv'].map((mountpoint) => ({ ...aGuestDisk(mountpoint), device: 'sda1' })),
  })
  const key = kinds.guests.key(guest)
  const at = new Date(Date.now() - 600_000).toISOString()
  const raised = (id: string, type: string): AlertHistoryEntry => ({
    ...anAlert({ id, type, startTime: at, message: id }),
    peakLevel: 'warning',
    status: 'resolved',
    duration: 60,
  })
  const asked: unknown[] = []
  await renderInApp(<GuestPanels id={key} view={viewGuest(guest, 'online')} withRates={false} />, {
    live: aLive({ guests: { [key]: guest } }),
    replies: {
      [getAlertHistory.path]({ query }: { query: unknown }) {
        asked.push(query)
        return [
          raised(`${key}-disk-srv-sda1-disk`, 'disk'),
          raised(`full-within-${key}-srv-sda1`, 'full-within'),
          raised(`${key}-disk-root-sda1-disk`, 'disk'),
          raised(`${key}-cpu`, 'cpu'),
        ]
      },
      [getHistorySeries.path]({ query }: { query: { ids: string; from: number; to: number } }) {
        const { ids, from, to } = query
        const points = [aPoint(to - 1_200_000, 40), aPoint(to - 60_000, 50)]
        return {
          tier: 'raw',
          from,
          to,
          series: [{ id: ids, field: 'usage', unit: 'percent', points, gaps: [] }],
        }
      },
    },
  })
  const name = 'History of file system /srv of web'
  await act(async () => void fireEvent.click(screen.getByRole('button', { name })))
  const list = await screen.findByRole('list', { name: 'Alerts' }, { timeout: within(20_000) })
  expect(Array.from(list.children, (line) => line.textContent)).toEqual([
    expect.stringContaining(`${key}-disk-srv-sda1-disk`),
    expect.stringContaining(`full-within-${key}-srv-sda1`),
  ])
  expect(asked).toMatchObject([{ resourceId: guest.id }])
})

test('[M 3.1] in a demonstration, where an id is a substitute, the charts are asked for by that', async () => {
  const guest = aGuest({ source: 'host-1234.example', vmid: 100, name: 'web', disks: [aGuestDisk('/')] })
  const asked: string[] = []
  await renderInApp(<GuestPanels id="id-5678" view={viewGuest(guest, 'online')} withRates={false} />, {
    live: aLive({ guests: { 'id-5678': guest } }),
    replies: {
      [getAlertHistory.path]: [],
      [getHistorySeries.path]({ query }: { query: { ids: string; from: number; to: number } }) {
        asked.push(query.ids)
        return { tier: 'raw', from: query.from, to: query.to, series: [] }
      },
    },
  })
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /^History of file system/ })))
  await expect.poll(() => asked, { timeout: within(20_000) }).toContain('id-5678:root')
})
